#!/usr/bin/env bash
# Has the PyPI package `openapi-spec-validator` say whether docs/api/openapi.json is OpenAPI 3.1. Says what it left out.
# Usage: scripts/openapi.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! python3 -m venv "$folder/venv" || ! "$folder/venv/bin/pip" install --quiet openapi-spec-validator==0.9.0; then
  echo "openapi: skipped, the validator cannot be installed (needs Python with venv, and a package index)"
  exit 0
fi
"$folder/venv/bin/openapi-spec-validator" --schema 3.1 docs/api/openapi.json
