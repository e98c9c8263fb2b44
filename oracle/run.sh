#!/bin/bash
# run.sh VERSION INIT.sql... < records.jsonl > golden.jsonl: what Hive's compiler says a statement reads, writes and derives.
# VERSION 2 (2.3.9), 3 (3.1.3) or 4 (4.0.1). env: LIBS = folder for jars and schemas, filled at the first call (default ~/.cache/hive-oracle);
# JAVA_HOME = Java 17 (found by itself in the usual places); ORACLE_SET = "key=value;key=value" more Hive settings; MVN_OPTS = options for mvn.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); version=${1:?which version of Hive: 2, 3 or 4}; shift
. "$here/common.sh"
[[ $version == [234] ]] || { echo "unknown version $version: known are 2, 3 and 4" >&2; exit 2; }
inits=(); for f in "$@"; do inits+=("$(realpath "$f")"); done
jdk=$(find_jdk 17 17)
fetch_jars "$version"
path=$(jars_of "$version"); seed=$LIBS/seed$version
launcher=$(compile launch "$jdk" "" "$here/src/common/Launch.java")
mapfile -t sources < <(find "$here/src/hive$version" -name '*.java' | sort)
classes=$(compile "oracle$version" "$jdk" "$path" "$here/src/common/HiveOracle.java" "$here/src/common/CaptureHook.java" "${sources[@]}")
home=$(mktemp -d); trap 'rm -rf "$home"' EXIT
opens=(); for p in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.math java.text java.time java.util java.util.concurrent java.util.concurrent.atomic java.util.regex sun.nio.ch sun.nio.cs sun.security.action; do opens+=("--add-opens=java.base/$p=ALL-UNNAMED"); done
opens+=(--add-opens=java.sql/java.sql=ALL-UNNAMED)
start=("$jdk/bin/java" -Xmx"${XMX:-3g}" -XX:+UseSerialGC "${opens[@]}" "-Dderby.stream.error.file=$home/derby.log" "-Dlog4j2.configurationFile=$classes/log4j2.properties" "-Dlog4j.configurationFile=$classes/log4j2.properties" "-Djava.io.tmpdir=$home")
cd "$home"
if [[ $version == 4 && ! -d $seed ]]; then # the metastore's tables, made once and copied for each run
  part=$(mktemp -d "$LIBS/part.XXXX"); mkdir conf
  printf '<configuration><property><name>javax.jdo.option.ConnectionURL</name><value>jdbc:derby:;databaseName=%s;create=true</value></property><property><name>javax.jdo.option.ConnectionDriverName</name><value>org.apache.derby.jdbc.EmbeddedDriver</value></property></configuration>' "$part/db" >conf/hive-site.xml
  METASTORE_HOME=$LIBS/schema4 "${start[@]}" -cp "conf:$path" org.apache.hadoop.hive.metastore.tools.schematool.MetastoreSchemaTool -dbType derby -initSchema >schematool.log 2>&1 || { tail -5 schematool.log >&2; exit 1; }
  mv -T "$part/db" "$seed"; rmdir "$part"
fi
[[ -d $seed ]] && cp -r "$seed" metastore_db
"${start[@]}" "-Doracle.home=$home" "-Doracle.set=${ORACLE_SET:-}" "-Dlaunch.path=$classes:$path" -cp "$launcher" Launch HiveOracle ${inits[@]+"${inits[@]}"}
