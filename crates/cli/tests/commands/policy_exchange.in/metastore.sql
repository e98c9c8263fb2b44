INSERT INTO `ROLES` VALUES (1,1700000000,'admin','admin'),(2,1700000000,'admin','public'),(3,1700000000,'root','reader');
INSERT INTO `ROLE_MAP` VALUES (1,1700000000,0,'root','USER','ana','USER',3),(2,1700000000,1,'root','USER','root','USER',1);
INSERT INTO `DBS` VALUES (1,NULL,'hdfs://nn/warehouse','sales','root','USER','hive');
INSERT INTO `DB_PRIVS` VALUES (1,1700000000,1,0,'root','USER','reader','ROLE','SELECT','SQL');
