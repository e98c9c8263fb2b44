#!/usr/bin/env python3
"""Asks the real Hive compiler what the scripts of the warehouse read, write and derive.

    python3 examples/warehouse/ask-oracle.py            writes oracle-lineage.json beside this file
    python3 examples/warehouse/ask-oracle.py --help

The scripts are fed to `oracle/run.sh` as one session, DDL first, so that later statements find the tables of
earlier ones. Nothing but DDL is executed. Three things stand in for what only a cluster has, none of which
changes a table or a column of the answer:

- The data lake is a temporary folder. LOAD DATA finds an empty file there. Paths in the answer are the script's.
- The jar of our own functions is absent: after each CREATE FUNCTION, a built-in function takes its name.
- EXPORT and COMPACT of a partition find an empty partition, made just before and dropped again.

Client commands (ADD, DFS) are none of the compiler's business and are kept as `"op": null` with a `skipped`
reason, as is IMPORT, which needs an exported folder.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
LAYERS = ["ddl", "etl", "marts", "exports"]

# Built-in functions that take the arguments of ours and return the same type.
STAND_INS = {
    "com.kestrel.hive.udf.NormalizePhone": "org.apache.hadoop.hive.ql.udf.generic.GenericUDFConcat",
    "com.kestrel.hive.udf.MaskIban": "org.apache.hadoop.hive.ql.udf.generic.GenericUDFLower",
    "com.kestrel.hive.udf.CleanName": "org.apache.hadoop.hive.ql.udf.generic.GenericUDFLower",
    "com.kestrel.hive.udaf.ApproxMedian": "org.apache.hadoop.hive.ql.udf.generic.GenericUDAFMax",
}


def scripts(folder):
    layers = [folder / layer for layer in LAYERS if (folder / layer).is_dir()] or [folder]
    return [path for layer in layers for path in sorted(layer.glob("*.hql"))]


def split(text):
    """Statements with the line on which each begins; comments before a statement are left out."""
    token = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|;|.", re.DOTALL)
    statement, begin = "", None
    for match in token.finditer(text):
        piece = match.group()
        if piece == ";":
            if begin is not None:
                yield text.count("\n", 0, begin) + 1, statement.strip()
            statement, begin = "", None
        elif piece.startswith(("--", "/*")):
            statement += " "
        else:
            if begin is None and not piece.isspace():
                begin = match.start()
            if begin is not None:
                statement += piece
    if begin is not None:
        yield text.count("\n", 0, begin) + 1, statement.strip()


class Session:
    """The variables of one script, as Hive substitutes them."""

    def __init__(self, lake):
        self.lake = lake
        self.folders = {}
        self.variables = {}

    def set(self, name, value):
        # A path becomes a folder below the temporary lake, so that the compiler can look into it.
        if re.match(r"hdfs://|/", value):
            local = os.path.join(self.lake, re.sub(r"^hdfs:/|^/", "", value).strip("/"))
            self.folders[local] = value
            value = local
        self.variables[name] = value

    def substitute(self, sql):
        return re.sub(r"\$\{(?:hivevar:)?(\w+)\}", lambda m: self.variables.get(m.group(1), m.group(0)), sql)


def questions(folder, lake):
    """What to tell the compiler: (statement, entry of the answer it belongs to or None)."""
    session = Session(lake)
    asked, entries = [], []
    for path in scripts(folder):
        asked.append(("USE default", None))
        session.variables.clear()
        for line, text in split(path.read_text(encoding="utf-8")):
            variable = re.fullmatch(r"SET\s+hivevar:(\w+)\s*=\s*(.*)", text, re.DOTALL | re.IGNORECASE)
            if variable:
                session.set(variable.group(1), session.substitute(variable.group(2).strip()))
                continue
            sql = session.substitute(text)
            if re.match(r"SET\s", sql, re.IGNORECASE):
                asked.append((sql, None))
                continue
            entry = {"file": path.relative_to(folder).as_posix(), "line": line, "op": None}
            entries.append(entry)
            if re.match(r"(ADD|DFS)\s", sql, re.IGNORECASE):
                entry["skipped"] = "client command"
                continue
            if re.match(r"IMPORT\s", sql, re.IGNORECASE):
                entry["skipped"] = "needs an exported folder"
                continue
            asked += [(extra, None) for extra in before(sql)]
            asked.append((sql, entry))
            asked += [(extra, None) for extra in after(sql)]
    return asked, entries, session.folders


def needed_partition(sql):
    return re.match(r"(?:EXPORT|ALTER)\s+TABLE\s+(\S+)\s+(PARTITION\s*\([^)]*\))\s+(?:TO|COMPACT)\b", sql, re.IGNORECASE)


def before(sql):
    """What has to be there for a statement to compile."""
    load = re.match(r"LOAD\s+DATA\s+INPATH\s+'([^']+)'", sql, re.IGNORECASE)
    if load:
        os.makedirs(os.path.dirname(load.group(1)), exist_ok=True)
        Path(load.group(1)).touch()
    needed = needed_partition(sql)
    return [f"ALTER TABLE {needed.group(1)} ADD IF NOT EXISTS {needed.group(2)}"] if needed else []


def after(sql):
    """What takes the place of something a statement could not make, or takes away what it alone needed."""
    function = re.match(r"(CREATE\s+(?:TEMPORARY\s+)?FUNCTION\s+\S+\s+AS\s+)'([^']+)'", sql, re.IGNORECASE)
    if function:
        return [f"{function.group(1)}'{STAND_INS[function.group(2)]}'"]
    needed = needed_partition(sql)
    return [f"ALTER TABLE {needed.group(1)} DROP IF EXISTS {needed.group(2)}"] if needed else []


def qualifier(statements):
    """Database of a table. The compiler names sources without it; no two tables of the warehouse share a name."""
    databases = {}
    for statement in statements:
        for entity in statement.get("inputs", []) + statement.get("outputs", []):
            parts = entity.split("@")
            if len(parts) > 1:
                databases.setdefault(parts[1], set()).add(parts[0])

    def qualify(table, column):
        known = databases.get(table, set())
        if len(known) > 1:
            sys.exit(f"table {table} is in several databases: {sorted(known)}")
        return ".".join([*known, table] + ([column] if column else []))

    return qualify


def fill(entry, answer, qualify, restore):
    if "error" in answer:
        entry["error"] = restore(answer["error"])
        return
    entry["op"] = answer["op"]
    for key in ("inputs", "outputs", "indirect"):
        if answer.get(key):
            entry[key] = sorted(restore(entity) for entity in answer[key])
    edges = answer.get("lineage", [])
    predicates = {qualify(*predicate.rsplit(".", 1)) for edge in edges for predicate in edge.get("predicates", [])}
    if predicates:
        entry["predicates"] = sorted(predicates)
    if edges:
        entry["lineage"] = [
            {
                "target": qualify(edge["target_table"], edge["target_column"]),
                "kind": edge["kind"],
                "sources": sorted(qualify(source["table"], source["column"]) for source in edge["sources"]),
            }
            for edge in edges
        ]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", nargs="?", type=Path, default=HERE, help="folder of scripts (this one)")
    arguments.add_argument("--oracle", type=Path, default=REPOSITORY / "oracle" / "run.sh", help="the oracle's run.sh (oracle/run.sh)")
    arguments.add_argument("--hive", default="3", choices=["2", "3", "4"], help="version of the compiler (3)")
    arguments.add_argument("--output", type=Path, help="file to write (oracle-lineage.json in the folder)")
    options = arguments.parse_args()
    folder = options.folder.resolve()

    with tempfile.TemporaryDirectory() as lake:
        asked, entries, folders = questions(folder, lake)
        record = json.dumps({"file": folder.name, "statements": [sql for sql, _ in asked]})
        run = subprocess.run(["bash", str(options.oracle), options.hive], input=record + "\n", capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    for line in run.stderr.splitlines():
        if re.match(r"cannot run: (?!CREATE (TEMPORARY )?FUNCTION|DROP DATABASE)", line):
            print(line, file=sys.stderr)
    answers = json.loads(run.stdout)["statements"]

    def restore(text):
        for local, written in sorted(folders.items(), reverse=True):
            text = text.replace("file://" + local, written).replace("file:" + local, written).replace(local, written)
        return text

    qualify = qualifier(answers)
    for (sql, entry), answer in zip(asked, answers):
        if entry is not None:
            fill(entry, answer, qualify, restore)
        elif "error" in answer:
            print(f"stand-in refused: {sql}: {answer['error']}", file=sys.stderr)

    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    output = options.output or folder / "oracle-lineage.json"
    output.write_text(f"[\n{lines}\n]\n", encoding="utf-8")

    refused = [entry for entry in entries if "error" in entry]
    for entry in refused:
        print(f"{entry['file']}:{entry['line']}: {entry['error']}", file=sys.stderr)
    skipped = sum("skipped" in entry for entry in entries)
    print(f"{len(entries)} statements: {len(entries) - len(refused) - skipped} compiled, {skipped} skipped, {len(refused)} refused", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
