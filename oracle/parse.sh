#!/bin/bash
# parse.sh VERSION [tree] < statements.jsonl (a JSON string a line): does Hive's parser take it? Thousands a second.
# VERSION 2 (2.3.9), 3 (3.1.3), 4 (4.0.1), 4.1 (4.1.0) or 4.2 (4.2.0). The last needs Java 21 or later, the others take 17, too.
# env: LIBS, JAVA_HOME, ORACLE_SET and MVN_OPTS as for run.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); version=${1:?which version of Hive: 2, 3, 4, 4.1 or 4.2}; shift
. "$here/common.sh"
case $version in
  4.2) jdk=$(find_jdk 21 99) ;;
  2 | 3 | 4 | 4.1) jdk=$(find_jdk 17 99) ;;
  *) echo "unknown version $version: known are 2, 3, 4, 4.1 and 4.2" >&2; exit 2 ;;
esac
fetch_jars "${version%%.*}"
path=$(jars_of "${version%%.*}")
[[ $version == 4.* ]] && path=$(fetch_exec_jar "$version.0"):$path
classes=$(compile "parse$version" "$jdk" "$path" "$here/src/common/ParseOracle.java")
exec "$jdk/bin/java" --add-opens=java.base/java.net=ALL-UNNAMED "-Doracle.set=${ORACLE_SET:-}" -Xmx1g -XX:+UseSerialGC \
  "-Dlog4j2.configurationFile=$classes/log4j2.properties" "-Dlog4j.configurationFile=$classes/log4j2.properties" -cp "$classes:$path" ParseOracle "$@"
