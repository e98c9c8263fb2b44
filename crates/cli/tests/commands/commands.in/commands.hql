SET hive.exec.parallel=true;
SET hivevar:day=2026-11-29;
RESET;
ADD JAR /lib/a.jar;
ADD FILES /lib/b.py /lib/c.py;
LIST JARS;
DELETE JAR /lib/a.jar;
dfs -rm -r /tmp/x;
SOURCE more.hql;
RELOAD;
!ls -l;
!connect jdbc:hive2://host:10000
SELECT 1;
QUIT;
