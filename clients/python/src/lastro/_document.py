"""
The OpenAPI document, and what the client makes of it: a type for each schema, and how each operation is called.

The build of the package reads it too, to write stubs, and has nothing but the standard library.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import inspect
import json
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, Union

Schema: TypeAlias = Mapping[str, Any]
Arguments: TypeAlias = Mapping[str, Any]
"""The arguments of a call by their names on the wire; None stands for one that is left out."""

_HERE = Path(__file__).resolve().parent
_JSON, _CSV = "application/json", "text/csv"
_CREDENTIALS = {
    "apiKey": "api_key",
    "apiKeyBearer": "api_key",
    "developerKey": "developer_key",
    "session": "session_token",
    "accessToken": "access_token",
    "clientId": "signature",
}
"""Which credential of the client a security scheme needs."""
_FRAMES = {
    "unitPriceList": "price_history",
    "paymentSchedule": "schedule",
    "assetList": "assets",
    "inventory": "inventory_credits",
    "fetchStatement": "statement",
}
"""The lists that are also offered as frames: the name of the method."""
_HEADERS = {"RequestId", "IdempotencyKey"}
"""Parameters that the client sends by itself."""
_FORMS = {
    "cnab444": "From a CNAB 444 file, which is sent compressed.",
    "csv": "From a CSV file, which is sent compressed.",
    "ndjson": "From JSON objects, one a line, which are sent compressed.",
    "file": "From a file in CNAB 444, CSV or NDJSON, which is sent compressed.",
}
_TEXTS = {"text/csv": "csv", "application/x-ndjson": "ndjson"}
"""The forms of a body that have a media type of their own."""


def document_path() -> Path:
    """Returns where the document is: in the package, or in a checkout of the repository."""
    bundled = _HERE / "openapi.json"
    return bundled if bundled.exists() else _HERE.parents[3] / "rest" / "openapi.json"


@cache
def document() -> dict[str, Any]:
    """Returns the document."""
    content: dict[str, Any] = json.loads(document_path().read_text("utf-8"))
    return content


def snake(name: str) -> str:
    """Returns the Python name of a property, parameter or operation: `profileId` is `profile_id`, `from` is `from_`."""
    name = name.removeprefix("X-").replace("-", "_")
    words = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)).lower()
    return words + "_" if keyword.iskeyword(words) else words


def class_name(schema: str) -> str:
    """Returns the name of a type: `event.order.filled` is `OrderFilled`."""
    text = schema.removeprefix("event.")
    return re.sub(r"(?:^|[._-])([a-z])", lambda found: found.group(1).upper(), text)


def type_of(schema: Schema) -> Any:
    """Returns the type of a value; JSON without a described form is `Any`."""
    bare = _bare_type(schema)
    return bare | None if schema.get("nullable") and bare is not Any else bare


def _bare_type(schema: Schema) -> Any:
    reference = _reference(schema)
    if reference is not None:
        return named_type(reference)
    if "enum" in schema:
        return Literal[tuple(value for value in schema["enum"] if value is not None)]
    if "oneOf" in schema:
        return Union[tuple(type_of(one) for one in schema["oneOf"])]  # noqa: UP007 - made of a list
    kind = schema.get("type")
    if kind == "string":
        return _text_type(schema)
    if kind == "array":
        return list[type_of(schema.get("items", {}))]  # type: ignore[misc]
    return {"integer": int, "number": Decimal, "boolean": bool}.get(str(kind), Any)


def _text_type(schema: Schema) -> Any:
    if schema.get("format") == "date":
        return dt.date
    if schema.get("format") == "date-time":
        return dt.datetime
    return Decimal if schema.get("pattern", "").startswith("^-?") else str


def _reference(schema: Schema) -> str | None:
    reference = schema.get("$ref") or (schema.get("allOf") or [{}])[0].get("$ref")
    return None if reference is None else str(reference).rsplit("/", 1)[-1]


def _parameter(parameter: Schema) -> Schema:
    name = _reference(parameter)
    return parameter if name is None else document()["components"]["parameters"][name]


@cache
def named_type(name: str) -> Any:
    """Returns the type of a schema of the document by its name: a dataclass, an alias of values, or a union."""
    schema = document()["components"]["schemas"][name]
    if name.startswith("event."):
        own = schema["properties"]["data"]
        shared = _reference(own)
        found = own if shared is None else document()["components"]["schemas"][shared]
        data = {**found, "description": schema["description"]}
        return _make_class(class_name(name), data, "lastro.events")
    if "properties" in schema:
        return _make_class(class_name(name), schema)
    return _bare_type(schema)


def _make_class(name: str, schema: Schema, module: str = "lastro.types") -> Any:
    fields = []
    for wire, one in schema["properties"].items():
        required = wire in schema.get("required", ())
        hint = type_of(one)
        # JSON holds these decimals as numbers in requests.
        metadata = {"name": wire, "description": one.get("description", ""), "number": "x-decimals" in one}
        if required:
            fields.append((snake(wire), hint, field(metadata=metadata)))
        else:
            fields.append((snake(wire), _optional(hint), field(default=None, metadata=metadata)))
    namespace = {"__doc__": schema.get("description", "An item of a request.")}
    made = dataclasses.make_dataclass(name, fields, frozen=True, slots=True, kw_only=True, namespace=namespace)
    made.__module__ = module
    return made


def _optional(hint: Any) -> Any:
    return hint if hint is Any else hint | None


def response_types() -> dict[str, Any]:
    """Returns the types of `lastro.types`: those of responses, and of objects in requests."""
    names = [name for name in document()["components"]["schemas"] if not name.startswith(("event.", "data.")) and name != "Error"]
    return {class_name(name): named_type(name) for name in names}


def event_types() -> dict[str, Any]:
    """Returns the class of the data of each event, by the name of the event."""
    names = [name for name in document()["components"]["schemas"] if name.startswith("event.")]
    return {name.removeprefix("event."): named_type(name) for name in names}


def _operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields what a program can call: all operations but those for the cookie of a browser."""
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            if not any("browserSession" in schemes for schemes in operation["security"]):
                yield path, method.upper(), operation


def _is_download(operation: Schema) -> bool:
    forms = operation["responses"].get("200", {}).get("content", {}).values()
    return any(form.get("schema", {}).get("format") == "binary" for form in forms)


@dataclass(frozen=True, kw_only=True)
class Argument:
    """An argument of a method."""

    wire: str
    name: str
    hint: Any
    required: bool
    positional: bool = False
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Paging:
    """How a list is paged, the property of a response that has its items, and their type."""

    form: Literal["none", "token", "page"]
    items: str
    item: Any


@dataclass(frozen=True, kw_only=True)
class Operation:
    """How an operation is called, with one of the forms of its body and of its response."""

    id: str
    name: str
    """The name of its method."""
    method: str
    path: str
    summary: str
    description: str
    result: Any
    credentials: tuple[str, ...]
    """Credentials of the client that it accepts, the preferred first; none where it is public."""
    arguments: tuple[Argument, ...]
    query: tuple[str, ...]
    headers: tuple[str, ...]
    body: tuple[str, ...] = ()
    media_type: str | None = None
    whole_body: bool = False
    takes_key: bool = False
    """Whether it takes an idempotency key, so that it can be repeated."""
    accept: str = _JSON
    paging: Paging | None = None
    frame: str | None = None


@cache
def operations() -> tuple[Operation, ...]:
    """Returns every operation: with JSON, and where it has them with a text body, and with a response in CSV."""
    return tuple(made for path, method, one in _operations() for made in _forms_of(path, method, one))


def _forms_of(path: str, method: str, operation: Schema) -> Iterator[Operation]:
    parameters = [_parameter(one) for one in operation["parameters"] if _reference(one) not in _HEADERS]
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get(_JSON, {}).get("schema")
    own = body.get("properties", {}) if body else {}
    shared = {
        "id": operation["operationId"],
        "method": method,
        "path": path,
        "summary": operation["summary"],
        "credentials": tuple(dict.fromkeys(_CREDENTIALS[next(iter(schemes))] for schemes in operation["security"])),
        "takes_key": any(one.get("$ref", "").endswith("/IdempotencyKey") for one in operation["parameters"]),
    }
    name = snake(operation["operationId"])
    result, paging = _result_of(operation), _paging_of(operation, parameters)
    is_file = _is_download(operation)
    without_text = [one for one in parameters if one["name"] not in {*own, "separator", "separador"}]
    yield _operation(
        shared,
        without_text,
        _body_arguments(body),
        name=name,
        description=operation["description"],
        result=bytes if is_file else result,
        accept="*/*" if is_file else _JSON,
        body=tuple(own),
        media_type=None if body is None else _JSON,
        whole_body=body is not None and not own,
        paging=paging,
        frame=_FRAMES.get(operation["operationId"]),
    )
    for media_type in content:
        if media_type == _JSON:
            continue
        form = _TEXTS.get(media_type, media_type.split("profile=")[-1])
        # The document has them optional, because a JSON body has them itself.
        required = {one["name"] for one in parameters if one.get("required")} | set(body.get("required", ()))
        needed = [{**one, "required": one["name"] in required} for one in parameters]
        file = Argument(wire="body", name="body", hint=bytes, required=True, description="The file.")
        yield _operation(
            shared,
            needed,
            [file],
            name=f"{name}_{form}",
            description=f"{operation['description']}\n\n{_FORMS[form]}",
            result=result,
            media_type=media_type,
        )
    if not is_file and _CSV in operation["responses"].get("200", {}).get("content", {}):
        pages = {"limit", "nextToken", "page", "separador"}
        yield _operation(
            shared,
            [one for one in parameters if one["name"] not in pages],
            [],
            name=f"{name}_csv",
            description=f"{operation['description']}\n\nAs CSV: the whole list.",
            result=str,
            accept=_CSV,
        )


def _operation(
    shared: Mapping[str, Any], parameters: Sequence[Schema], content: Sequence[Argument], **more: Any
) -> Operation:
    arguments = [
        Argument(
            wire=one["name"],
            name=snake(one["name"]),
            hint=_bare_type(one["schema"]),
            required=bool(one.get("required")),
            positional=one["in"] == "path",
            description=one.get("description", ""),
        )
        for one in parameters
    ]
    return Operation(
        **shared,
        **more,
        arguments=tuple(sorted([*arguments, *content], key=lambda one: (not one.positional, not one.required))),
        query=tuple(one["name"] for one in parameters if one["in"] == "query"),
        headers=tuple(one["name"] for one in parameters if one["in"] == "header"),
    )


def _body_arguments(body: Schema | None) -> list[Argument]:
    if body is None:
        return []
    if "properties" not in body:
        return [Argument(wire="body", name="body", hint=Any, required=True, description="The body, as JSON.")]
    return [
        Argument(
            wire=wire,
            name=snake(wire),
            hint=_bare_type(one),
            required=wire in body.get("required", ()),
            description=one.get("description", ""),
        )
        for wire, one in body["properties"].items()
    ]


def _responses_of(operation: Schema) -> list[Schema | None]:
    """Returns the schemas of successful responses; None stands for one without a body."""
    found = [response for status, response in operation["responses"].items() if status.startswith("2")]
    return [response.get("content", {}).get(_JSON, {}).get("schema") for response in found]


def _result_of(operation: Schema) -> Any:
    hints = [None if schema is None else type_of(schema) for schema in _responses_of(operation)]
    return hints[0] if len(hints) == 1 else Any if Any in hints else Union[tuple(hints)]  # noqa: UP007


def _paging_of(operation: Schema, parameters: Sequence[Schema]) -> Paging | None:
    """Returns how a list is paged; None where a response has no list of objects."""
    names = {one["name"] for one in parameters}
    page = _resolved(_responses_of(operation)[0] or {})
    page = _resolved(page["oneOf"][0]) if "oneOf" in page else page
    lists = [(name, one) for name, one in page.get("properties", {}).items() if one.get("type") == "array"]
    form: Literal["none", "token", "page"] = "token" if "nextToken" in names else "page" if "page" in names else "none"
    if len(lists) != 1:
        if form == "none":
            return None
        raise ValueError(f"The items of {operation['operationId']} are not the only list of its response")
    [(items, schema)] = lists
    return Paging(form=form, items=items, item=type_of(schema.get("items", {})))


def _resolved(schema: Schema) -> Schema:
    reference = _reference(schema)
    return schema if reference is None else document()["components"]["schemas"][reference]


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method of the client."""

    name: str
    operation: Operation
    kind: Literal["call", "iterate", "frame"]
    arguments: tuple[Argument, ...]
    doc: str

    @property
    def signature(self) -> inspect.Signature:
        """Its signature, with `self`."""
        kinds = {True: inspect.Parameter.POSITIONAL_OR_KEYWORD, False: inspect.Parameter.KEYWORD_ONLY}
        parameters = [inspect.Parameter("self", kinds[True])]
        for one in self.arguments:
            default = inspect.Parameter.empty if one.required else "pandas" if one.name == "frame" else None
            hint = _optional(one.hint) if default is None else one.hint
            parameters.append(inspect.Parameter(one.name, kinds[one.positional], default=default, annotation=hint))
        return inspect.Signature(parameters)


_KEY = Argument(
    wire="",
    name="idempotency_key",
    hint=str,
    required=False,
    description="Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for this call.",
)
_FRAME = Argument(
    wire="",
    name="frame",
    hint=Literal["pandas", "polars"],
    required=False,
    description="The kind of the frame: `pandas` or `polars`. Decimals stay `Decimal` and days stay days.",
)


def methods() -> Iterator[Method]:
    """Yields every method of the client."""
    for operation in operations():
        arguments = operation.arguments
        yield _method(operation.name, operation, "call", (*arguments, _KEY) if operation.takes_key else arguments)
        if operation.paging is not None and operation.paging.form != "none":
            yield _method(f"iter_{operation.name}", operation, "iterate", arguments)
        if operation.frame is not None:
            others = [one for one in arguments if one.wire not in ("limit", "nextToken", "page")]
            yield _method(operation.frame, operation, "frame", (*others, _FRAME))


def _method(
    name: str, operation: Operation, kind: Literal["call", "iterate", "frame"], arguments: tuple[Argument, ...]
) -> Method:
    ends = {"call": "", "iterate": ": all items, page by page", "frame": ": all items as a frame"}
    parts = [f"{operation.summary}{ends[kind]}.", operation.description]
    if kind != "call" and dataclasses.is_dataclass(operation.result) is False:
        parts.append(f"There are no items where they are not published: `{operation.name}` says why.")
    if arguments:
        parts.append("Args:\n" + "\n".join(f"    {one.name}: {one.description}" for one in arguments))
    return Method(name=name, operation=operation, kind=kind, arguments=arguments, doc="\n\n".join(parts))
