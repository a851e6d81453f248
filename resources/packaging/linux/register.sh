#!/bin/sh
# Puts S2 Voice Studio into this user's menu and lets it open .s2voice, .s2vbundle and .gguf files.
# With --remove it takes that back. It writes only below $XDG_DATA_HOME (~/.local/share).
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
share=${XDG_DATA_HOME:-"$HOME/.local/share"}
entry=$share/applications/s2-voice-studio.desktop
types=$share/mime/packages/s2-voice-studio.xml
if [ "${1:-}" = --remove ]; then
    rm -f -- "$entry" "$types" "$share"/icons/hicolor/*/apps/s2-voice-studio.png
else
    mkdir -p "$share/applications" "$share/mime/packages"
    # A desktop file wants \ " ` $ escaped twice over within double quotes, and % doubled.
    program=$(printf '%s' "$here/s2studio" |
        sed -e 's/\\/\\\\\\\\/g' -e 's/["`$]/\\\\&/g' -e 's/%/%%/g')
    quoted=$(printf '"%s"' "$program" | sed -e 's/[&|\\]/\\&/g')
    sed -e "s|^Exec=@PROGRAM@|Exec=$quoted|" -e '/^TryExec=/d' \
        "$here/share/linux/s2-voice-studio.desktop" > "$entry"
    cp "$here/share/linux/s2-voice-studio.xml" "$types"
    for icon in "$here"/share/icons/studio-*.png; do
        size=${icon##*-}
        size=${size%.png}
        mkdir -p "$share/icons/hicolor/${size}x${size}/apps"
        cp "$icon" "$share/icons/hicolor/${size}x${size}/apps/s2-voice-studio.png"
    done
    printf 'S2 Voice Studio is in the menu; "%s --remove" takes it out.\n' "$0"
fi
for tool in "update-mime-database $share/mime" "update-desktop-database $share/applications"; do
    command -v "${tool%% *}" > /dev/null && "${tool%% *}" "${tool#* }" || true
done
