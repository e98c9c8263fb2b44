-- The tables that exist before a generated record starts.

-- dataset: src
CREATE TABLE src (key STRING, value STRING) STORED AS TEXTFILE;

-- dataset: src1
CREATE TABLE src1 (key STRING, value STRING) STORED AS TEXTFILE;

-- dataset: srcpart
CREATE TABLE srcpart (key STRING, value STRING)
PARTITIONED BY (ds STRING, hr STRING)
STORED AS TEXTFILE;

-- dataset: alltypesorc
CREATE TABLE alltypesorc (
    ctinyint TINYINT,
    csmallint SMALLINT,
    cint INT,
    cbigint BIGINT,
    cfloat FLOAT,
    cdouble DOUBLE,
    cstring1 STRING,
    cstring2 STRING,
    ctimestamp1 TIMESTAMP,
    ctimestamp2 TIMESTAMP,
    cboolean1 BOOLEAN,
    cboolean2 BOOLEAN)
STORED AS ORC;
