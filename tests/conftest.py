"""Runs a command as the shell would, in this process."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

import komi.cli


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(*arguments: object) -> Run:
        monkeypatch.setattr("sys.argv", ["komi", *map(str, arguments)])
        with pytest.raises(SystemExit) as exited:
            komi.cli.main()
        out, err = capsys.readouterr()
        return Run(int(exited.value.code or 0), out, err)

    return run
