"""Puts the OpenAPI document of the API into the package, and stubs of what the package makes of it."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib.util
import sys
import tempfile
import textwrap
import types
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_HEAD = """\
import datetime as dt
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias, overload
"""
_SCALARS = {Decimal: "Decimal", dt.date: "dt.date", dt.datetime: "dt.datetime", Any: "Any", type(None): "None"}


class BuildHook(BuildHookInterface[Any]):
    """Runs with each build; an editable install reads the document of the checkout."""

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the files to the build."""
        if version == "editable":
            return
        source = Path(self.root, "src", "lastro")
        document = _load(source / "_document.py")
        if self.target_name == "sdist":
            build_data["force_include"][str(document.document_path())] = "src/lastro/openapi.json"
            return
        if not (source / "openapi.json").exists():
            build_data["force_include"][str(document.document_path())] = "lastro/openapi.json"
        self._folder = tempfile.TemporaryDirectory(prefix="lastro-stubs-")
        for name, text in stubs(document).items():
            file = Path(self._folder.name, name)
            file.write_text(text, "utf-8")
            build_data["force_include"][str(file)] = f"lastro/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the stubs, which are in the package now."""
        if self._folder is not None:
            self._folder.cleanup()


def _load(path: Path) -> Any:
    """Imports a module without the package around it, whose dependencies are not there at a build."""
    spec = importlib.util.spec_from_file_location("lastro_document", path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def stubs(document: Any) -> dict[str, str]:
    """Returns the stubs by the names of their files."""
    responses, events = document.response_types(), document.event_types()
    classes = {kind.__name__: kind for kind in events.values()}
    union = " | ".join(classes)
    return {
        "types.pyi": _HEAD + "".join(_declaration(name, kind) for name, kind in responses.items()),
        "events.pyi": _HEAD
        + "".join(_declaration(name, kind) for name, kind in classes.items())
        + f"\nEventData: TypeAlias = {union}\nEVENT_TYPES: dict[str, type[EventData]]\n",
        "_methods.pyi": _HEAD
        + "\nimport pandas\nimport polars\n\nfrom . import types as t\n"
        + "from ._async import AsyncExecutor\nfrom ._sync import SyncExecutor\n"
        + _client("SyncMethods", "SyncExecutor", document.methods(), "def", "Iterator")
        + _client("AsyncMethods", "AsyncExecutor", document.methods(), "async def", "AsyncIterator"),
    }


def _declaration(name: str, kind: Any) -> str:
    if not dataclasses.is_dataclass(kind):
        return f"\n{name}: TypeAlias = {_text(kind)}\n"
    lines = [f"\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass {name}:\n", _doc(kind.__doc__ or "")]
    for field in dataclasses.fields(kind):
        default = "" if field.default is dataclasses.MISSING else " = ..."
        lines.append(f"    {field.name}: {_text(field.type)}{default}\n" + _doc(field.metadata["description"]))
    return "".join(lines)


def _client(name: str, base: str, methods: Iterable[Any], definition: str, iterator: str) -> str:
    """Returns the stub of a client's methods."""
    lines = [f"\nclass {name}({base}):\n"]
    for one in methods:
        doc = _doc(one.doc, "        ")
        if one.kind == "frame":
            for package, default in (("pandas", " = ..."), ("polars", "")):
                frame = f'frame: Literal["{package}"]{default}'
                head = _head(definition, one, f"{package}.DataFrame", [frame])
                lines.append(f"    @overload\n{head}\n{doc}")
        elif one.kind == "iterate":
            lines.append(_head("def", one, f"{iterator}[{_text(one.operation.paging.item, 't.')}]") + f"\n{doc}")
        else:
            lines.append(_head(definition, one, _text(one.operation.result, "t.")) + f"\n{doc}")
    return "".join(lines)


def _head(definition: str, method: Any, result: str, more: Iterable[str] = ()) -> str:
    arguments = [one for one in method.arguments if one.name != "frame"]
    positional = [one for one in arguments if one.positional]
    named = [_argument(one) for one in arguments if not one.positional] + list(more)
    parts = ["self", *map(_argument, positional), *(["*", *named] if named else [])]
    return f"    {definition} {method.name}({', '.join(parts)}) -> {result}:"


def _argument(one: Any) -> str:
    text = _text(one.hint, "t.").replace("list[", "Sequence[")
    return f"{one.name}: {text}" if one.required else f"{one.name}: {text} | None = None"


def _text(hint: Any, prefix: str = "") -> str:
    """Returns a type as it is written."""
    if hint is None or hint in _SCALARS:
        return _SCALARS[type(None) if hint is None else hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(_text(one, prefix) for one in arguments)
    if origin is list:
        return f"list[{_text(arguments[0], prefix)}]"
    return (prefix if dataclasses.is_dataclass(hint) else "") + str(hint.__name__)


def _doc(text: str, indent: str = "    ") -> str:
    escaped = text.strip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return textwrap.indent(f'"""{escaped}\n"""\n', indent)
