CREATE ROLE reader;
