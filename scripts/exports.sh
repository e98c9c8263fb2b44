#!/usr/bin/env bash
# Records statements over names that nobody would choose, exports what they derive in every form, and has others read it:
# the PyPI packages `prov` and `openlineage-python` (whose classes are made of the published schemas), readers of XML, CSV
# and JSON. Says what it left out.
# Usage: scripts/exports.sh [GUARDBEE]
set -euo pipefail
cd "$(dirname "$0")/.."
guardbee=$(realpath "${1:-target/release/guardbee}")
python=${PYTHON:-python3}

if ! command -v "$python" >/dev/null; then
  echo "exports: skipped, Python is not installed (Debian: apt-get install python3)"; exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/odd.hql" <<'SQL'
CREATE DATABASE odd;
CREATE TABLE odd.`größe "1"` (`a+b` INT, `naïve
column` STRING, `x'<&>"` STRING, `列` DOUBLE);
CREATE EXTERNAL TABLE odd.outside (id INT, note STRING) LOCATION 's3a://bucket/a b/%20/ä?x=1#y';
INSERT INTO odd.`größe "1"` SELECT id, note, concat(note, "\n;--"), 1.5 FROM odd.outside WHERE note <> '';
CREATE TABLE odd.next AS SELECT max(`a+b`) AS `m|m`, `列` FROM odd.`größe "1"` JOIN odd.outside o ON o.id = `a+b` GROUP BY `列`;
CREATE VIEW odd.seen AS SELECT `m|m` AS v FROM odd.next;
INSERT OVERWRITE DIRECTORY '/out/[a]{b}/c;d' SELECT v FROM odd.seen;
INSERT OVERWRITE TABLE odd.next SELECT * FROM odd.next;
CREATE TABLE odd.copy LIKE odd.next;
INSERT INTO odd.copy SELECT * FROM odd.next;
INSERT INTO odd.next SELECT * FROM odd.copy;
ALTER TABLE odd.copy RENAME TO odd.`new
line`;
SQL
for year in 1970 9999; do
  store=$folder/$year.db
  "$guardbee" record "$folder/odd.hql" --user 'ana "é" <x>' --time "$year-01-01T00:00" --job 'j
ob' --store "$store" >"$folder/recorded" || { cat "$folder/recorded"; exit 1; }
  for level in table column run; do
    for form in json csv graphml dot mermaid openlineage prov; do
      "$guardbee" trace odd.next --up --down --edges all --level "$level" --format "$form" --store "$store" >"$folder/$year-$level.$form"
    done
  done
done
"$python" scripts/exports.py "$folder"
