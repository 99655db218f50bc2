"""The page docs/python.md as it stands."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_tutorial_runs(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) >= 6
    monkeypatch.chdir(tmp_path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        print("matplotlib is missing: the picture is left out")
        blocks = [block for block in blocks if "matplotlib" not in block]
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "payload 2.500 kg at z = 0.050 m" in said
    assert np.abs(names["run"].q[-1] - names["motion"].q[-1]).max() < 1e-4
