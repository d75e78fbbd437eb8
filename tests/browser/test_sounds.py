"""The sounds, rendered to files: how loud, how long, how high; a horn is not a click, and nothing cracks."""

import wave
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page
from visiting import CurrentServices

from slowly import slowly

Samples = NDArray[np.float64]
Rendered = Callable[[str], Samples]

RATE, SECONDS = 44_100, 2
RENDER = """async ([name, rate, seconds]) => {
    let number = 1;  // the same noise in each run
    Math.random = () => (number = (16807 * number) % 2147483647) / 2147483647;
    const sound = await import("/sound.js");
    const [, called, won] = /^(\\w+?)(?:: (won|lost))?$/.exec(name);
    return Array.from(await sound.renderSamples(() => sound[called](won === "won"), seconds, rate));
}"""


@dataclass(frozen=True)
class Sound:
    """The expected length of a sound in seconds, and the centre of its spectrum in Hz."""

    shortest: float
    longest: float
    lowest: float
    highest: float


SOUNDS = {
    "rush": Sound(0.4, 0.8, 100, 1500),
    "skid": Sound(0.3, 0.8, 40, 2600),
    "revDown": Sound(0.4, 0.95, 40, 700),
    "beepBeep": Sound(0.3, 0.45, 400, 2500),
    "rattle": Sound(0.3, 0.6, 500, 2000),
    "ring": Sound(0.2, 0.75, 2000, 5500),
    "flick": Sound(0.03, 0.15, 2500, 15_000),
    "click": Sound(0.02, 0.1, 150, 6000),
    "sink": Sound(0.3, 0.6, 60, 400),
    "bank": Sound(0.2, 0.4, 380, 700),
    "finish: won": Sound(0.7, 0.95, 500, 1300),
    "finish: lost": Sound(0.7, 0.95, 250, 500),
}
USUAL = ("beepBeep", "finish: won", "finish: lost", "flick")
NAMES = [*USUAL, *slowly(*(name for name in SOUNDS if name not in USUAL))]


@pytest.fixture(scope="module")
def page(browser: Any, served: CurrentServices) -> Any:
    page = browser.new_page()
    page.goto(served.address)
    yield page
    page.close()


@pytest.fixture(scope="module")
def rendered(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    """Render a named sound, also to a file; return its samples."""
    folder = tmp_path_factory.mktemp("sounds")

    @cache
    def of(name: str) -> Samples:
        samples = np.array(page.evaluate(RENDER, [name, RATE, SECONDS]))
        with wave.open(str(folder / f"{name.replace(': ', '-')}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, len(samples), "NONE", ""))
            file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
        return samples

    return of


def heard(samples: Samples) -> Samples:
    """Return the part that is louder than a hundredth of the loudest."""
    loud = np.flatnonzero(np.abs(samples) > np.abs(samples).max() / 100)
    return samples[loud[0] : loud[-1] + 1]


def spectrum(samples: Samples) -> tuple[Samples, Samples]:
    """Return frequencies in Hz, and the power at each."""
    return np.fft.rfftfreq(len(samples), 1 / RATE), np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) ** 2


def pitch(samples: Samples) -> float:
    """Return the strongest frequency, in Hz."""
    frequencies, power = spectrum(samples)
    return float(frequencies[np.argmax(power)])


@pytest.mark.parametrize("name", NAMES)
def test_sound_is_neither_too_loud_nor_too_soft_and_lasts_as_long_as_it_should(rendered: Rendered, name: str) -> None:
    samples = rendered(name)
    sound = heard(samples)
    assert 0.04 < np.abs(samples).max() < 0.9
    assert 0.003 < np.sqrt(np.mean(sound**2)) < 0.3
    assert SOUNDS[name].shortest < len(sound) / RATE < SOUNDS[name].longest
    assert np.abs(samples[-RATE // 10 :]).max() < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_sound_is_as_high_as_it_should_be(rendered: Rendered, name: str) -> None:
    frequencies, power = spectrum(heard(rendered(name)))
    middle = np.interp(0.5, np.cumsum(power) / power.sum(), frequencies)
    assert SOUNDS[name].lowest < middle < SOUNDS[name].highest


@pytest.mark.parametrize("name", NAMES)
def test_sound_begins_and_ends_without_a_crack(rendered: Rendered, name: str) -> None:
    samples = rendered(name)
    sound = heard(samples)
    assert np.abs(sound[:4]).max() < 0.2 * np.abs(samples).max() + 0.01
    assert np.abs(sound[-4:]).max() < 0.05 * np.abs(samples).max() + 0.01


def test_horn_is_two_beeps_of_two_notes_each(rendered: Rendered) -> None:
    samples = rendered("beepBeep")
    beeps = [samples[int(start * RATE) : int((start + 0.15) * RATE)] for start in (0.01, 0.25)]
    pause = samples[int(0.18 * RATE) : int(0.24 * RATE)]
    assert np.abs(pause).max() < 0.02 * np.abs(samples).max()
    for beep in beeps:
        frequencies, power = spectrum(beep)
        notes = [power[np.abs(frequencies - note) < 20].sum() for note in (420, 528)]
        assert sum(notes) > 0.5 * power.sum()
        assert len(heard(beep)) > 0.08 * RATE  # no click


def test_end_rises_for_a_winner_and_falls_for_a_loser(rendered: Rendered) -> None:
    for name, rises in (("finish: won", True), ("finish: lost", False)):
        samples = rendered(name)
        first, last = (samples[int(start * RATE) : int((start + 0.12) * RATE)] for start in (0.02, 0.5))
        assert (pitch(last) > pitch(first)) is rises
