import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { separateRoles } from '../../shared/database/embedded-roles.js';
import { findEmbedded } from '../../shared/database/embedded.js';
import { build, killGroup, newDataFolder, startProgram } from '../start/program.js';

await build();
const folder = await newDataFolder();
const program = startProgram({ env: { DATA_DIR: folder.dataDir } });
await program.ready;
const superuserUrl = (await findEmbedded(folder.dataDir)) ?? '';
const { url } = await separateRoles(superuserUrl);
const client = await connect(url);
afterAll(async () => {
  await client.end();
  await killGroup(program);
  await folder.remove();
});

async function connect(url: string): Promise<pg.Client> {
  const made = new pg.Client(url);
  made.on('error', () => undefined);
  await made.connect();
  return made;
}

test('every connection of the program is of the role that may only read and write rows', async () => {
  const superuser = await connect(superuserUrl);
  const { rows } = await superuser.query<{ usename: string }>(
    `SELECT DISTINCT usename FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  await superuser.end();
  expect(rows).toEqual([{ usename: 'lastro_app' }]);
});

describe('to the role of the program PostgreSQL refuses', () => {
  const permission = '42501';
  test.each([
    ['a table', 'CREATE TABLE public.mine (a int)'],
    ['a table in a schema of ours', 'CREATE TABLE accounts.mine (a int)'],
    ['a schema', 'CREATE SCHEMA mine'],
    ['an extension', 'CREATE EXTENSION pg_stat_statements'],
    ['a function', "CREATE FUNCTION shared.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    [
      'a trigger',
      'CREATE TRIGGER mine BEFORE INSERT ON accounts.accounts FOR EACH ROW EXECUTE FUNCTION issuances.refuse_change()',
    ],
    ['to alter a table', 'ALTER TABLE accounts.accounts ADD COLUMN mine int'],
    ['to switch a trigger off', 'ALTER TABLE tokenization.unit_prices DISABLE TRIGGER unit_prices_stand'],
    ['to switch triggers off', "SET session_replication_role = 'replica'"],
    [
      'to replace a function',
      'CREATE OR REPLACE FUNCTION issuances.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    ],
    ['to drop a table', 'DROP TABLE accounts.accounts'],
    ['to drop a schema', 'DROP SCHEMA accounts CASCADE'],
    ['to empty a table', 'TRUNCATE shared.outbox'],
    ['to rename the database', 'ALTER DATABASE postgres RENAME TO mine'],
    ['a database', 'CREATE DATABASE mine'],
    ['a role', 'CREATE ROLE mine SUPERUSER LOGIN'],
    ['to become a superuser', 'ALTER ROLE lastro_app SUPERUSER'],
    ['to be the owner', 'SET ROLE lastro_owner'],
    ['to be the superuser', 'SET ROLE lastro'],
    ['to give itself privileges of the server', 'GRANT pg_execute_server_program TO lastro_app'],
    ['a program, by COPY TO', "COPY (SELECT 1) TO PROGRAM 'id'"],
    ['a program, by COPY FROM', "CREATE TEMP TABLE t (l text); COPY t FROM PROGRAM 'id'"],
    ['a file, by COPY TO', "COPY (SELECT 1) TO '/tmp/mine'"],
    ['a file, by COPY FROM', "CREATE TEMP TABLE t (l text); COPY t FROM '/etc/passwd'"],
    ['a file, by pg_read_file', "SELECT pg_read_file('password')"],
    ['a folder', "SELECT pg_ls_dir('.')"],
    ['a file, by lo_import', "SELECT lo_import('/etc/passwd')"],
    ['the hashes of passwords', 'SELECT rolpassword FROM pg_authid'],
    ['settings of the server', "ALTER SYSTEM SET archive_command = 'id'"],
    ['a reload', 'SELECT pg_reload_conf()'],
    ['a checkpoint', 'CHECKPOINT'],
    ['a language', 'CREATE LANGUAGE plperlu'],
    ['a foreign server', 'CREATE FOREIGN DATA WRAPPER mine'],
    ['to forget a migration', 'DELETE FROM shared.migrations'],
    ['to alter what a migration was', "UPDATE shared.migrations SET digest = ''"],
    [
      'to invent a migration',
      "INSERT INTO shared.migrations (schema, name, digest) VALUES ('shared', '9999-mine', '')",
    ],
    ['to move a holiday', 'DELETE FROM shared.holidays'],
    ["to own the owner's statistics function", 'ALTER FUNCTION shared.analyze_table OWNER TO lastro_app'],
  ])('%s', async (_, sql) => {
    await expect(client.query(sql)).rejects.toMatchObject({ code: permission });
  });

  test('code of its own that runs as the owner, through the function that makes statistics', async () => {
    await client.query('BEGIN');
    await client.query(
      `CREATE FUNCTION pg_temp.who(int) RETURNS int IMMUTABLE LANGUAGE plpgsql
         AS $$ BEGIN IF current_user <> 'lastro_app' THEN RAISE 'ran as %', current_user; END IF; RETURN 1; END $$;
       CREATE TEMP TABLE bait (a int); CREATE INDEX ON bait (pg_temp.who(a)); INSERT INTO bait SELECT generate_series(1, 100)`,
    );
    await client.query("SELECT shared.analyze_table('bait')");
    await client.query('ROLLBACK');
  });
});
