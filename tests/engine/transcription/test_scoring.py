"""A long sound is cut in pauses, and each word gets the least of what covers it."""

from __future__ import annotations

from engine.transcription.scoring import EDGE_S, WINDOW_S, _by_word, _joined, windows


def spoken(count: int, pause_every: int) -> list[tuple[float, float, str]]:
    at, made = 0.0, []
    for index in range(count):
        made.append((at, at + 0.3, f"w{index}"))
        at += 0.4 + (0.5 if index % pause_every == pause_every - 1 else 0.0)
    return made


def test_a_short_sound_is_one_window() -> None:
    heard = spoken(10, 5)
    assert list(windows([w for _, _, w in heard], heard, 8.0)) == [(0, 10, 0.0, 8.0)]


def test_long_ones_are_cut_in_their_pauses() -> None:
    heard = spoken(200, 10)
    words = [word for _, _, word in heard]
    seconds = heard[-1][1] + 0.2
    parts = list(windows(words, heard, seconds))
    assert [first for first, _, _, _ in parts][1:] == [last for _, last, _, _ in parts][:-1]
    assert (parts[0][0], parts[-1][1]) == (0, 200)
    for first, last, start, end in parts:
        assert end - start <= WINDOW_S + 2 * EDGE_S
        assert start <= heard[first][0]
        assert end >= heard[last - 1][1]
        assert last % 10 == 0


def test_what_was_not_heard_cuts_nothing() -> None:
    assert list(windows(["a", "b"], [], 100.0)) == [(0, 2, 0.0, 30.0)]


def test_words_get_the_least_of_what_covers_them() -> None:
    laid = [
        {"word": " twen", "start": 0.0, "end": 0.2, "probability": 0.5},
        {"word": "ty", "start": 0.2, "end": 0.3, "probability": 0.9},
        {"word": " one", "start": 0.3, "end": 0.6, "probability": 0.8},
    ]
    assert _by_word(["twenty", "one"], laid) == [(0.0, 0.3, 0.5), (0.3, 0.6, 0.8)]
    assert _by_word(["twenty", "one"], [])[1] == (0.0, 0.0, 0.0)


def test_wide_characters_are_joined_without_blanks() -> None:
    assert _joined(["你", "好", "big", "car"]) == "你好 big car"
