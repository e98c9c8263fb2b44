"""Reads what scripts/exports.sh has exported, each form with a reader that is not ours."""

import csv
import datetime
import enum
import json
import pathlib
import sys
import types
import typing
import uuid
import xml.etree.ElementTree as xml

folder = pathlib.Path(sys.argv[1])


def files(form):
    found = sorted(folder.glob(f"*.{form}"))
    assert found, f"no {form} was exported"
    return found


def check_plain_forms():
    for path in files("json"):
        assert json.loads(path.read_text())["version"] == 1, path
    for path in files("csv"):
        with path.open(newline="") as text:
            rows = list(csv.reader(text, strict=True))
        assert len(rows) > 1 and len({len(row) for row in rows}) == 1, path
    for path in files("graphml"):
        root = xml.parse(path).getroot()
        space = root.tag.partition("}")[0] + "}"
        nodes = {node.get("id") for node in root.iter(f"{space}node")}
        ends = {edge.get(end) for edge in root.iter(f"{space}edge") for end in ("source", "target")}
        assert ends and ends <= nodes, path
    print("exports: JSON, CSV and GraphML are read")


def check_prov():
    try:
        from prov.model import ProvDocument
    except ImportError:
        print("exports: PROV-JSON left out, the package `prov` is missing (pip install prov)")
        return
    records = 0
    for path in files("prov"):
        document = ProvDocument.deserialize(str(path), format="json")
        again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
        assert document == again, path
        assert document.get_provn(), path
        records += len(document.get_records())
    print(f"exports: {records} records of PROV-JSON are read, written and read again by `prov`")


def facets(event):
    holders = [event["run"], event["job"], *event["inputs"], *event["outputs"]]
    return [facet for holder in holders for facet in holder.get("facets", {}).values()]


def check_openlineage():
    events = [json.loads(line) for path in files("openlineage") for line in path.read_text().splitlines()]
    assert events
    for event in events:
        uuid.UUID(event["run"]["runId"])
        datetime.datetime.fromisoformat(event["eventTime"])
        assert event["job"]["name"] and event["inputs"] + event["outputs"], event
    try:
        shapes = published_shapes()
    except ImportError:
        print("exports: shapes of OpenLineage left out, `openlineage-python` is missing (pip install openlineage-python)")
        return
    facets_seen = set()
    for event in events:
        check_shape(event, shapes["RunEvent"], shapes, "event")
        for facet in facets(event):
            url = facet["_schemaURL"]
            shape = shapes[url.rpartition("/")[2]]
            # The package says with which version of the schema it was made.
            assert shape._get_schema() == url, f"{url} is not {shape._get_schema()}"
            check_shape(facet, shape, shapes, url)
            facets_seen.add(shape.__name__)
    print(f"exports: {len(events)} events of OpenLineage have the shapes of its own package: {', '.join(sorted(facets_seen))}")


def published_shapes():
    """The classes that the project makes of its published schemas, by name."""
    import importlib
    import pkgutil

    import openlineage.client.generated as generated

    modules = [importlib.import_module(f"{generated.__name__}.{one.name}") for one in pkgutil.iter_modules(generated.__path__)]
    return {name: value for module in modules for name, value in vars(module).items() if isinstance(value, type)}


def attr_nothing():
    """What says of a field that it has no default."""
    import attr

    return attr.NOTHING


def check_shape(value, shape, shapes, place):
    """Every field is one that the shape has, of its type; none that it asks for is missing."""
    origin, arguments = typing.get_origin(shape), typing.get_args(shape)
    if shape is typing.Any:
        return
    if origin in (typing.Union, types.UnionType):
        errors = []
        for one in arguments:
            try:
                return check_shape(value, one, shapes, place)
            except AssertionError as error:
                errors.append(str(error))
        raise AssertionError("; ".join(errors))
    if origin is list:
        assert isinstance(value, list), f"{place}: {value!r} is no list"
        for one in value:
            check_shape(one, arguments[0], shapes, place)
    elif origin is dict:
        assert isinstance(value, dict), f"{place}: {value!r} is no object"
        for name, one in value.items():
            check_shape(one, arguments[1], shapes, f"{place}.{name}")
    elif hasattr(shape, "__attrs_attrs__"):
        assert isinstance(value, dict), f"{place}: {value!r} is no object"
        # A facet is any, by the schema that it names.
        if "_schemaURL" in value:
            shape = shapes[value["_schemaURL"].rpartition("/")[2]]
        hints = typing.get_type_hints(shape)
        fields = {field.name: field for field in shape.__attrs_attrs__}
        unknown = set(value) - set(fields)
        assert not unknown, f"{place}: {shape.__name__} has no {unknown}"
        for name, field in fields.items():
            if name in value:
                check_shape(value[name], hints[name], shapes, f"{place}.{name}")
            else:
                assert field.default is not attr_nothing(), f"{place}: {shape.__name__} wants {name}"
    elif isinstance(shape, type) and issubclass(shape, enum.Enum):
        assert value in {one.value for one in shape}, f"{place}: {value!r} is no {shape.__name__}"
    else:
        kind = type(None) if shape is None else shape
        assert isinstance(value, kind), f"{place}: {value!r} is no {shape}"


check_plain_forms()
check_prov()
check_openlineage()
