"""What makes a voice easy to find: star, tags, colour, picture; and the clips in its details."""

from __future__ import annotations

from pathlib import Path

from cloning_kit import MicBench
from error_kit import refused
from PySide6.QtGui import QColor, QImage
from studio_fakes import model_info
from voice_kit import Encoder, clip_of, kept_voice
from window_kit import dialog, drop

from app.voices.delegate import SHADES
from app.voices.details_dialog import VoiceDetails
from app.voices.list_model import VoiceRole
from app.voices.pictures import Pictures, small_picture
from engine.errors import VoiceError
from engine.voices import COLORS, Codec, VoiceNotes
from engine.voices.remake import load_clips

THIS = Codec.of(model_info())


def keep(mic: MicBench, name: str, *clips: int, notes: VoiceNotes | None = None) -> str:
    folder = Path(mic.store.library.directory)
    parts = tuple((clip_of(1.0, n), f"Text {n}.") for n in clips or (1,))
    _, key = kept_voice(folder, name, THIS, parts, notes)
    mic.app.voices.refresh()
    return key


def titles(mic: MicBench) -> list[str]:
    proxy = mic.window.voices.filter
    return [proxy.index(row, 0).data() for row in range(1, proxy.rowCount())]


def details(mic: MicBench, key: str) -> VoiceDetails:
    mic.window.voices.details_requested.emit(key)
    return next(d for d in mic.window.findChildren(VoiceDetails) if d.isVisible())


def picture(path: Path, width: int = 600, height: int = 400) -> Path:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#3b82f6"))
    assert image.save(str(path))
    return path


def test_every_colour_has_a_shade() -> None:
    assert set(SHADES) == set(COLORS)


def test_star_and_tags_narrow_the_list(mic: MicBench) -> None:
    mic.window.show()
    anna = keep(mic, "Anna: kitchen", notes=VoiceNotes(tags=("Family", "old")))
    keep(mic, "Berta", notes=VoiceNotes(tags=("narrator",)))
    keep(mic, "Clara")
    panel = mic.window.voices
    panel.star_requested.emit(anna)
    assert mic.store.read_notes(anna).star
    panel.only.starred.setChecked(True)
    assert titles(mic) == ["Anna: kitchen"]
    panel.only.starred.setChecked(False)
    panel.sort_button.menu().aboutToShow.emit()
    tags = {a.text(): a for a in panel.sort_button.menu().actions()}
    assert {"Family", "old", "narrator"} <= set(tags)
    tags["narrator"].trigger()
    assert titles(mic) == ["Berta"]
    tags["narrator"].trigger()
    assert len(titles(mic)) == 3
    panel.search.setText("FAMILY")
    assert titles(mic) == ["Anna: kitchen"]
    panel.search.clear()
    panel.only.starred.setChecked(True)
    panel.choose("Clara")
    assert len(titles(mic)) == 3, "what is chosen can be seen"
    panel.star_requested.emit(anna)
    assert not mic.store.read_notes(anna).star


def test_a_card_has_colour_and_picture(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    anna = keep(mic, "Anna")
    shown = details(mic, anna)
    shown.tags.setText("family，Narrator, narrator,")
    shown.color.setCurrentIndex(shown.color.findData("teal"))
    mic.app.voice_controller.details.read_picture(picture(tmp_path / "a.jpg"), shown)
    mic.until(lambda: shown.new_picture is not None)
    shown.keep.click()
    notes = mic.store.read_notes(anna)
    assert (notes.tags, notes.color, notes.picture) == (
        ("family", "Narrator"),
        "teal",
        "picture.png",
    )
    assert load_clips(mic.store.beside(anna)), "what is noted costs nothing of the rest"
    path = mic.store.library.path(anna)
    drawn = Pictures().get(path, notes, 40)
    assert (drawn.width(), drawn.height()) == (40, 40)
    grabbed = mic.window.voices.view.grab().toImage()
    assert grabbed.width() > 0
    index = mic.window.voices.filter.index(1, 0)
    assert index.data(VoiceRole.NOTES).color == "teal"
    shown = details(mic, anna)
    shown.no_picture.click()
    shown.keep.click()
    assert mic.store.read_notes(anna).picture == ""


def test_pictures_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(400))
    with refused("voice.no_picture", VoiceError):
        small_picture(tmp_path / "a.png")
    with refused("voice.no_picture", VoiceError):
        small_picture(tmp_path / "nothing.png")
    small = small_picture(picture(tmp_path / "wide.png", 3000, 20))
    assert QImage.fromData(small).width() <= 256
    _, anna = kept_voice(tmp_path / "voices", "Anna")
    assert Pictures().get(tmp_path / "voices" / f"{anna}.s2voice", VoiceNotes(), 40).isNull()


def test_clips_are_ordered_and_removed(mic: MicBench) -> None:
    mic.window.show()
    mic.load()
    anna = keep(mic, "Anna", 1, 2, 3)
    shown = details(mic, anna)
    assert shown.clips.list.count() == 3
    shown.clips.list.setCurrentRow(2)
    shown.clips.up.click()
    shown.clips.list.setCurrentRow(0)
    shown.clips.remove.click()
    assert shown.clips.order == [2, 1]
    shown.clips.list.setCurrentRow(0)
    shown.clips.play.click()
    mic.until(lambda: mic.cloning.preview.token == "voice clip")
    shown.keep.click()
    mic.until(lambda: not mic.app.voice_controller.maker.busy and len(mic.engine.encoded) == 2)
    assert [note.text for note in mic.store.read_notes(anna).clips] == ["Text 3.", "Text 2."]
    assert mic.store.library.load(anna).transcript == "Text 3.\nText 2."
    one = details(mic, keep(mic, "Berta"))
    assert not one.clips.remove.isEnabled(), "a voice is made of something"
    one.reject()


def test_a_voice_without_clips_says_so(mic: MicBench) -> None:
    mic.window.show()
    mic.store.library.keep("Old", Encoder(THIS)(clip_of(), "Words."))
    mic.app.voices.refresh()
    shown = details(mic, "Old")
    assert shown.clips.order == []
    shown.tags.setText("x")
    shown.keep.click()
    assert mic.store.read_notes("Old").tags == ("x",)


def test_a_bundle_is_dropped_on_the_window(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    keep(mic, "Grandpa: kitchen?", notes=VoiceNotes(consent="Grandpa, 1 May", star=True))
    key = mic.store.library.like("Grandpa: kitchen?")
    bundle = tmp_path / "grandpa.s2vbundle"
    mic.store.export(mic.store.library.path(key), bundle)
    mic.app.voice_controller.delete(key)
    assert titles(mic) == []
    drop(mic, bundle)
    assert titles(mic) == ["Grandpa: kitchen?"]
    notes = mic.store.read_notes(mic.window.voices.key)
    assert (notes.consent, notes.star, len(notes.clips)) == ("Grandpa, 1 May", True, 1)
    bundle.write_bytes(bundle.read_bytes()[:-40])
    drop(mic, bundle)
    assert titles(mic) == ["Grandpa: kitchen?"]
    dialog(mic).reject()
