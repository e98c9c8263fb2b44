--
-- PostgreSQL database dump
--

\restrict CfyyGKPjy6K7DDfAQpIhetudEKwx7kygmn0PckJpUcY2yy8L5QSSJRe8GUM8wg3

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Data for Name: DBS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."DBS" VALUES (1, 'Default Hive database', 'hdfs://nn1:8020/warehouse', 'default', 'public', 'ROLE', 'hive');
INSERT INTO public."DBS" VALUES (2, NULL, 'hdfs://nn1:8020/warehouse/sales.db', 'sales', 'root', 'USER', 'hive');


--
-- Data for Name: DB_PRIVS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."DB_PRIVS" VALUES (1, 1796057093, 2, 0, 'root', 'USER', 'reader', 'ROLE', 'SELECT', 'v1');
INSERT INTO public."DB_PRIVS" VALUES (2, 1796057093, 2, 0, 'root', 'USER', 'reader', 'ROLE', 'CREATE', 'v1');
INSERT INTO public."DB_PRIVS" VALUES (3, 1796057094, 2, 0, 'root', 'USER', 'writer', 'ROLE', 'ALL', 'v1');


--
-- Data for Name: GLOBAL_PRIVS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."GLOBAL_PRIVS" VALUES (1, 1796057087, 1, 'admin', 'ROLE', 'admin', 'ROLE', 'All', 'SQL');
INSERT INTO public."GLOBAL_PRIVS" VALUES (2, 1796057093, 1, 'root', 'USER', 'root', 'USER', 'ALL', 'v1');
INSERT INTO public."GLOBAL_PRIVS" VALUES (3, 1796057094, 0, 'root', 'USER', 'public', 'ROLE', 'SHOW_DATABASE', 'v1');


--
-- Data for Name: TBLS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."TBLS" VALUES (1, 1796057089, 2, 0, 'root', 'USER', 0, 1, 'orders', 'MANAGED_TABLE', NULL, NULL, false);
INSERT INTO public."TBLS" VALUES (2, 1796057093, 2, 0, 'root', 'USER', 0, 3, 'v', 'VIRTUAL_VIEW', 'select `orders`.`id` from `sales`.`orders`', 'select id from sales.orders', false);
INSERT INTO public."TBLS" VALUES (3, 1796057093, 1, 0, 'root', 'USER', 0, 4, 't', 'MANAGED_TABLE', NULL, NULL, false);


--
-- Data for Name: PARTITIONS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."PARTITIONS" VALUES (1, 1796057090, 0, 'country=DE', 2, 1);
INSERT INTO public."PARTITIONS" VALUES (2, 1796057094, 0, 'country=FR', 5, 1);


--
-- Data for Name: PART_COL_PRIVS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."PART_COL_PRIVS" VALUES (1, 'amount', 1796057094, 0, 'root', 'USER', 2, 'ben', 'USER', 'SELECT', 'v1');
INSERT INTO public."PART_COL_PRIVS" VALUES (2, 'id', 1796057094, 0, 'root', 'USER', 2, 'ben', 'USER', 'SELECT', 'v1');
INSERT INTO public."PART_COL_PRIVS" VALUES (3, 'amount', 1796057094, 0, 'root', 'USER', 2, 'carl', 'USER', 'SELECT', 'v1');


--
-- Data for Name: PART_PRIVS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."PART_PRIVS" VALUES (1, 1796057094, 1, 'root', 'USER', 2, 'ana', 'USER', 'SELECT', 'v1');
INSERT INTO public."PART_PRIVS" VALUES (2, 1796057094, 0, 'root', 'USER', 1, 'carl', 'USER', 'SELECT', 'v1');


--
-- Data for Name: ROLES; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."ROLES" VALUES (1, 1796057087, 'admin', 'admin');
INSERT INTO public."ROLES" VALUES (2, 1796057087, 'public', 'public');
INSERT INTO public."ROLES" VALUES (3, 1796057093, NULL, 'reader');
INSERT INTO public."ROLES" VALUES (4, 1796057093, NULL, 'writer');


--
-- Data for Name: ROLE_MAP; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."ROLE_MAP" VALUES (1, 1796057093, 0, 'root', 'USER', 'analysts', 'GROUP', 3);
INSERT INTO public."ROLE_MAP" VALUES (2, 1796057093, 0, 'root', 'USER', 'ana', 'USER', 3);
INSERT INTO public."ROLE_MAP" VALUES (3, 1796057093, 1, 'root', 'USER', 'writer', 'ROLE', 3);
INSERT INTO public."ROLE_MAP" VALUES (4, 1796057093, 0, 'root', 'USER', 'o''neil', 'USER', 4);


--
-- Data for Name: TBL_COL_PRIVS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."TBL_COL_PRIVS" VALUES (1, 'id', 1796057093, 0, 'root', 'USER', 'ben', 'USER', 'SELECT', 1, 'v1');
INSERT INTO public."TBL_COL_PRIVS" VALUES (2, 'amount', 1796057093, 0, 'root', 'USER', 'ben', 'USER', 'SELECT', 1, 'v1');


--
-- Data for Name: TBL_PRIVS; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."TBL_PRIVS" VALUES (1, 1796057093, 1, 'root', 'USER', 'ana', 'USER', 'SELECT', 1, 'v1');
INSERT INTO public."TBL_PRIVS" VALUES (2, 1796057094, 0, 'root', 'USER', 'public', 'ROLE', 'SELECT', 2, 'v1');


--
-- Data for Name: VERSION; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public."VERSION" VALUES (1, '3.1.0', 'Hive release version 3.1.0');


--
-- PostgreSQL database dump complete
--

\unrestrict CfyyGKPjy6K7DDfAQpIhetudEKwx7kygmn0PckJpUcY2yy8L5QSSJRe8GUM8wg3

