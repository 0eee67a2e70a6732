# SPDX-License-Identifier: Apache-2.0
"""Scenes by name, by file or as a dict."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from . import _structs_dynamics as d
from ._errors import ReadError
from ._library import data_files, lib
from ._solve import as_text

Scene = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def scenes() -> List[str]:
    """The names of the scenes that come with perp."""
    return sorted({file.stem for file in data_files("experiments/scenes/*.json")})


def _file(scene: Union[str, "os.PathLike[str]"]) -> Path:
    path = Path(scene)
    if path.exists() or path.suffix or len(path.parts) > 1:
        return path
    for file in data_files(f"experiments/scenes/{path.name}.json"):
        return file
    raise ReadError(f'no file and no scene "{scene}", see perp.scenes()')


def read_scene(scene: Scene, parameters: Optional[Mapping[str, Any]]) -> Any:
    """A perp_scene, to be freed by perp_scene_free. A value of a parameter is a number in SI units
    or a text with a unit."""
    words: Dict[bytes, bytes] = {
        name.encode(): as_text(value).encode() for name, value in (parameters or {}).items()
    }
    sets = (d.perp_scene_set * len(words))(*(d.perp_scene_set(*pair) for pair in words.items()))
    head = ctypes.POINTER(d.perp_scene)()
    if isinstance(scene, Mapping):
        text = json.dumps(scene).encode()
        name = str(scene.get("name", "scene")).encode()
        lib.perp_scene_parse_with(ctypes.byref(head), text, len(text), name, sets, len(sets))
    else:
        path = os.fsencode(_file(scene))
        lib.perp_scene_read_with(ctypes.byref(head), path, sets, len(sets))
    return head
