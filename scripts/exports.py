"""Reads what scripts/exports.sh has exported, each form with a reader that is not ours."""

import csv
import datetime
import json
import os
import pathlib
import sys
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
    spec = os.environ.get("OPENLINEAGE_SPEC")
    try:
        import jsonschema
        import referencing
        import referencing.jsonschema
    except ImportError:
        jsonschema = None
    if not spec or jsonschema is None:
        print("exports: schemas of OpenLineage left out (OPENLINEAGE_SPEC, pip install 'jsonschema[format]')")
        return
    schemas = {path.name: json.loads(path.read_text()) for path in pathlib.Path(spec).glob("**/*.json")}

    def retrieve(uri):
        # Schemas name the version of the others that they were written with; there is one of each in the folder.
        contents = schemas[uri.partition("#")[0].rpartition("/")[2]]
        return referencing.Resource.from_contents(contents, referencing.jsonschema.DRAFT202012)

    registry = referencing.Registry(retrieve=retrieve)
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    left_out = set()

    def check(instance, reference):
        name = reference.partition("#")[0].rpartition("/")[2]
        if name not in schemas:
            left_out.add(name)
            return
        schema = {"$ref": reference}
        jsonschema.Draft202012Validator(schema, registry=registry, format_checker=checker).validate(instance)

    for event in events:
        check(event, event["schemaURL"])
        for facet in facets(event):
            check(facet, facet["_schemaURL"])
    version = schemas["OpenLineage.json"].get("$id", "a version without a name")
    print(f"exports: {len(events)} events of OpenLineage are valid ({version})")
    if left_out:
        print(f"exports: no schema found for {', '.join(sorted(left_out))}")


check_plain_forms()
check_prov()
check_openlineage()
