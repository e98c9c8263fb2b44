#!/usr/bin/env bash
# A walk through what guardbee says about the examples in this folder.
# Usage: examples/demo.sh GUARDBEE   (the built command, such as target/release/guardbee)
set -euo pipefail
guardbee=$(realpath "${1:?which guardbee: examples/demo.sh target/release/guardbee}")
cd "$(dirname "$0")/.."

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold='' dim='' plain=''; fi

heading() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# The command as it can be typed: what holds blanks is in quotes.
typed() {
  local word
  printf '%s$ guardbee' "$dim"
  for word in "$@"; do
    if [[ $word == *' '* ]]; then printf ' "%s"' "$word"; else printf ' %s' "$word"; fi
  done
  printf '%s\n' "$plain"
}

# Shows a command and what it answers. Findings (1) are an answer, too.
show() {
  typed "$@"
  "$guardbee" "$@" || [[ $? == 1 ]]
}

# The same with the last lines only of a long answer.
show_end() {
  local lines=$1
  shift
  typed "$@"
  echo ...
  { "$guardbee" "$@" || [[ $? == 1 ]]; } 2>&1 | tail -n "$lines"
}

heading "1. A warehouse of 59 tables: is anything wrong with its scripts?"
show analyze --findings examples/warehouse

heading "2. What does one of them do? What it reads and writes, and where each column comes from."
show analyze --catalog examples/warehouse/ddl examples/warehouse/marts/daily_revenue.hql

heading "3. What leaves the house? The second file gets a hash of the address, and no name."
show analyze --catalog examples/warehouse/ddl examples/warehouse/exports/mailing.hql

heading "4. Where does a figure in a mart come from? Four layers up, to the files that came in."
show trace --files examples/warehouse mart.revenue.amount_eur --up

heading "5. Where does the e-mail address of a customer go?"
show trace --files examples/warehouse raw.crm_customers.email --down

heading "6. A story of average salaries: two tables and a file, and what becomes of them."
show trace --files examples/provenance hr.avgsalary --up --down

heading "7. Mistakes are pointed at, and the rest of a script is read all the same."
show analyze examples/lint/broken.hql

heading "8. A policy for the warehouse: may an analyst see a social security number? And why not?"
show check --user ana --group analysts --policy examples/policy -e "SELECT ssn_last4 FROM cln.customer"

heading "9. What may be read can be masked; and policies are tested like code."
show check --user ana --group analysts --policy examples/policy -e "SELECT email FROM mart.campaign_audience"
show policy test --policy examples/policy --catalog examples/warehouse/ddl examples/policy/tests

heading "10. What ran is remembered, in one file: a night's runs, as a cluster would report them."
store=target/demo.db
mkdir -p target
rm -f "$store"*
show_end 4 record examples/warehouse --user etl --time 2026-11-29T02:00 --store "$store"
show_end 1 policy apply examples/policy --author etl --store "$store"
show history mart.customer_360 --store "$store"

heading "11. A secret stays one on its way, through a staging table that is gone; nobody had to say so."
show tags mart.customer_360.phone --store "$store"
show check --user ana --group analysts --store "$store" -e "SELECT phone FROM mart.customer_360"

heading "12. Who may read what they may not read where it came from?"
show leaks --limit 1 --store "$store"

heading "13. Every decision is on a chain that shows when a link was changed; \`who-did\` and \`audit\` read it."
show audit verify --store "$store"

heading "Next"
cat <<END
  your own scripts       $1 analyze FOLDER
  only what is wrong     $1 analyze --findings FOLDER
  where a column goes    $1 trace --files FOLDER db.table.column --down
  may somebody run it    $1 check --user NAME --policy FOLDER SCRIPTS
  for other programs     --format json, jsonl, dot, mermaid or openlineage
  remember what ran      $1 record SCRIPTS --user NAME --store FILE
                         $1 import querylog FILES --store FILE
  guides                 docs/analyze.md, docs/trace.md, docs/catalog.md, docs/formats.md,
                         docs/policy.md, docs/lineage.md, docs/tags.md
END
