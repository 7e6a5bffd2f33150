import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../../bootstrap/migrations.js';
import { openDatabase, type Database } from './database.js';
import { separateRoles } from './embedded-roles.js';
import { startEmbedded } from './embedded.js';
import { excessOfRole } from './grants.js';
import type { SchemaMigrations } from './migrate.js';
import { prepareDatabase } from './store.js';

const opened: Database[] = [];

const dataDir = await mkdtemp(join(tmpdir(), 'lastro-roles-'));
const server = await startEmbedded({ dataDir, durable: false });
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
});

async function open(url: string): Promise<Database> {
  const source = await openDatabase({ url, poolSize: 2, applicationName: 'test' });
  opened.push(source);
  return source;
}

const owners = `
  SELECT nspname || '.' || relname AS name, relowner::regrole::text AS owner FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND relkind <> 'c'
  UNION ALL
  SELECT p.oid::regprocedure::text, proowner::regrole::text FROM pg_proc p
    WHERE pronamespace = ANY ('{shared,accounts,tokenization,issuances}'::regnamespace[])
  UNION ALL SELECT nspname, nspowner::regrole::text FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
  UNION ALL SELECT datname, datdba::regrole::text FROM pg_database WHERE datname = current_database()`;

const superuser = await open(server.url);
const urls = await separateRoles(server.url);
await prepareDatabase(await open(urls.url), urls.ownerUrl, migrations);
afterAll(async () => {
  for (const source of opened.splice(0)) await source.destroy();
});

describe('an embedded database', () => {
  test('belongs to the owner as a whole', async () => {
    const rows = await superuser.query<{ name: string; owner: string }[]>(owners);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(({ owner }) => owner !== 'lastro_owner')).toEqual([]);
  });

  test('a later migration, which makes a table and what narrows another, is the owner’s; the program may use the table', async () => {
    const more: SchemaMigrations = {
      schema: 'shared',
      migrations: [
        {
          name: '9001-audit',
          sql: `DROP TABLE shared.audit_log; CREATE TABLE shared.audit_log (id bigint GENERATED ALWAYS AS IDENTITY, at date NOT NULL) PARTITION BY RANGE (at);
                CREATE TABLE shared.audit_log_2026 PARTITION OF shared.audit_log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
                CREATE TABLE shared.later (n serial, text text)`,
        },
      ],
    };
    const program = await open(urls.url);
    expect(await prepareDatabase(program, urls.ownerUrl, [more])).toBe(1);
    await program.query(
      `INSERT INTO shared.later (text) VALUES ('a'); UPDATE shared.later SET text = 'b'; DELETE FROM shared.later`,
    );
    await program.query(`INSERT INTO shared.audit_log (at) VALUES ('2026-05-01')`);
    expect(await program.query('SELECT id FROM shared.audit_log')).toEqual([{ id: '1' }]);
    for (const table of ['shared.audit_log', 'shared.audit_log_2026']) {
      for (const sql of [`UPDATE ${table} SET at = at`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
        await expect(program.query(sql)).rejects.toThrow('permission denied for table');
    }
  });

  test('is prepared once: another start changes nothing', async () => {
    const state = `SELECT array_agg(xmin::text || ctid::text ORDER BY oid) AS rows FROM pg_class
      WHERE relnamespace = ANY ('{shared,accounts}'::regnamespace[])
      UNION ALL SELECT array_agg(xmin::text ORDER BY oid) FROM pg_authid UNION ALL SELECT array_agg(xmin::text) FROM pg_database`;
    const before: unknown = await superuser.query(state);
    expect(await separateRoles(server.url)).toEqual(urls);
    await prepareDatabase(await open(urls.url), urls.ownerUrl, migrations);
    expect(await superuser.query(state)).toEqual(before);
  });

  test('heals when someone took a privilege away, or gave one', async () => {
    await superuser.query(
      'REVOKE SELECT ON accounts.accounts FROM lastro_app; GRANT DELETE ON shared.migrations TO lastro_app; GRANT CREATE ON SCHEMA shared TO lastro_app',
    );
    const program = await open(urls.url);
    await prepareDatabase(program, urls.ownerUrl, migrations);
    await program.query('SELECT FROM accounts.accounts');
    await expect(program.query('DELETE FROM shared.migrations')).rejects.toThrow('permission denied');
    await expect(program.query('CREATE TABLE shared.mine ()')).rejects.toThrow('permission denied');
  });

  test('what a role could do beyond rows is found', async () => {
    const schemas = migrations.map(({ schema }) => schema);
    expect(await excessOfRole((await open(urls.url)).manager, schemas)).toEqual([]);
    expect(await excessOfRole((await open(urls.ownerUrl)).manager, schemas)).toEqual([
      'it may create or owns schemas or tables',
    ]);
    expect(await excessOfRole(superuser.manager, schemas)).toContain('it is a superuser');
  });

  describe('a migration that the role of the program may not apply', () => {
    const unknown = { schema: 'shared', migrations: [{ name: '9002-more', sql: 'CREATE TABLE shared.more ()' }] };
    let program: Database;
    beforeEach(async () => {
      program = await open(urls.url);
    });

    test('is named, with what to do', async () => {
      await expect(prepareDatabase(program, undefined, [unknown])).rejects.toThrow(
        /may not apply its migrations shared\/9002-more.*npm run lastro -- migrate.*DATABASE_ADMIN_URL/s,
      );
    });

    test('is none where there is nothing to apply', async () => {
      expect(await prepareDatabase(program, undefined, migrations)).toBe(0);
    });
  });
});
