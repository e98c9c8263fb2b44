#!/usr/bin/env bash
# Has systemd say whether deploy/guardbee.service is a unit, and how much it leaves open. Says what it left out.
# Usage: scripts/deploy.sh
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v systemd-analyze >/dev/null; then
  echo "deploy: skipped, systemd-analyze is missing (Debian: apt-get install systemd)"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The binary need not be installed for that.
sed 's#/usr/bin/guardbee#/usr/bin/env#' deploy/guardbee.service >"$folder/guardbee.service"
systemd-analyze verify "$folder/guardbee.service"
if systemd-analyze security --help >/dev/null 2>&1; then
  systemd-analyze security --offline=true --threshold=20 "$folder/guardbee.service" >"$folder/security" || {
    cat "$folder/security"
    exit 1
  }
  tail -1 "$folder/security"
fi
