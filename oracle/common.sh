# What run.sh and parse.sh share: where the jars lie, which Java to use, how the judges are compiled.

LIBS=${LIBS:-$HOME/.cache/hive-oracle}

# Prints the home of a JDK whose major version lies between $1 and $2: JAVA_HOME, the java on the path, then the usual folders.
find_jdk() {
  local lowest=$1 highest=$2 home major on_path
  on_path=$(command -v java || true)
  [[ -n $on_path ]] && on_path=$(dirname "$(dirname "$(realpath "$on_path")")")
  for home in ${JAVA_HOME:+"$JAVA_HOME"} ${on_path:+"$on_path"} /usr/lib/jvm/* /opt/java/* /opt/*jdk* "$HOME"/.sdkman/candidates/java/*; do
    [[ -x $home/bin/java && -x $home/bin/javac ]] || continue
    major=$("$home/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1)
    if [[ -n $major ]] && ((major >= lowest && major <= highest)); then echo "$home"; return; fi
  done
  echo "no JDK between Java $lowest and $highest found: set JAVA_HOME to one" >&2
  return 1
}

# Fetches the jars of Hive 2, 3 or 4 with mvn, once. A broken off fetch leaves nothing that looks complete.
fetch_jars() {
  local version=$1 part
  [[ -d $LIBS/hive$version ]] && return
  command -v mvn >/dev/null || { echo "mvn is missing: it fetches Hive's jars" >&2; return 1; }
  mkdir -p "$LIBS"; part=$(mktemp -d "$LIBS/part.XXXX")
  if [[ $version == 4 ]]; then "$here/../hive/hive4/fetch.sh" "$part" "$LIBS/schema4" ${MVN_OPTS:-} >&2
  else mvn -B -q ${MVN_OPTS:-} -f "$here/../hive/hive2-3/pom.xml" -P "hive$version" dependency:copy-dependencies -DoutputDirectory="$part" >&2; fi
  mv "$part" "$LIBS/hive$version"
}

# Fetches one hive-exec jar of a later release and prints its path.
fetch_exec_jar() {
  local release=$1 jar=$LIBS/hive-exec-$1.jar artifact=org.apache.hive:hive-exec:$1
  if [[ ! -f $jar ]]; then
    (cd "$LIBS" && mvn -B -q ${MVN_OPTS:-} dependency:get -Dartifact="$artifact" -Dtransitive=false >&2 &&
      mvn -B -q ${MVN_OPTS:-} dependency:copy -Dartifact="$artifact" -DoutputDirectory="$LIBS" >&2)
  fi
  echo "$jar"
}

# compile NAME JDK CLASSPATH SOURCE...: prints the folder of the classes. It is named after what the sources hold, so that
# several copies of them compile side by side and none removes classes under a running judge.
compile() {
  local name=$1 jdk=$2 class_path=$3 sum folder part; shift 3
  sum=$(cat "$@" | sha256sum | cut -c1-12); folder=$LIBS/$name-$sum
  if [[ ! -d $folder ]]; then
    part=$(mktemp -d "$LIBS/part.XXXX")
    "$jdk/bin/javac" -nowarn -proc:none ${class_path:+-cp "$class_path"} -d "$part" "$@" 2>&1 | { grep -v '^Note:' || true; } >&2
    printf 'status = off\nrootLogger.level = off\n' >"$part/log4j2.properties"
    mv -T "$part" "$folder" 2>/dev/null || rm -rf "$part" # another run was faster
  fi
  echo "$folder"
}

jars_of() { printf '%s:' "$LIBS/hive$1"/*.jar; }
