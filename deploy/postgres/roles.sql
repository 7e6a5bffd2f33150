-- The two roles and the database, run once by a superuser with psql: LASTRO_OWNER_PASSWORD and LASTRO_APP_PASSWORD are in its environment.
\set ON_ERROR_STOP on
\getenv owner_password LASTRO_OWNER_PASSWORD
\getenv app_password LASTRO_APP_PASSWORD
CREATE ROLE lastro_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE lastro_app LOGIN PASSWORD :'app_password';
CREATE DATABASE lastro OWNER lastro_owner;
REVOKE ALL ON DATABASE lastro FROM PUBLIC;
-- Imports load files into temporary tables.
GRANT CONNECT, TEMPORARY ON DATABASE lastro TO lastro_app;
