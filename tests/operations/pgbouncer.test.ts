import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../shared/database/database.js';
import { testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { openPooler, poolerMissing, type Pooler } from '../kit/pooler.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';

/** The server's address on TCP, which poolers use. */
function onTcp(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('host');
  return url.href;
}

async function visit(url: string): Promise<void> {
  const database = await openDatabase({ url, poolSize: 3, applicationName: 'test' });
  await database.destroy();
}

async function inConsole(pooler: Pooler, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: pooler.console });
  await client.connect();
  await client.query(command);
  await client.end();
}

if (process.env['TEST_POOLER'] === '1') {
  test.skip('behind PgBouncer: TEST_POOLER=1 has put all tests behind one already', () => undefined);
} else if (poolerMissing !== undefined) {
  test.skip(`behind PgBouncer: ${poolerMissing}`, () => undefined);
} else {
  let database: TestDatabase;
  let pooler: Pooler;
  beforeAll(async () => {
    await build();
    database = await openTestDatabase({ poolSize: 2 });
    pooler = await openPooler({ server: onTcp(database.url), users: [database.url], size: 1 });
  });
  afterAll(async () => {
    await pooler.close();
    await database.close();
  });

  describe('behind PgBouncer in transaction mode, with its default settings', () => {
    let program: Program;
    let url: string;
    beforeAll(async () => {
      program = startProgram({
        env: {
          DATABASE_URL: pooler.through(database.url),
          DATABASE_ADMIN_URL: database.ownerUrl,
          DATABASE_STATEMENT_TIMEOUT: '5',
          MASTER_KEY: testMasterKey.toString('base64'),
          RATE_LIMIT_ACCOUNTS: '100000',
          LOG_LEVEL: 'warn',
        },
      });
      url = await program.ready;
    });
    afterAll(() => killGroup(program));

    const pair = (email: string) => ({ email, password: 'Um-segredo-longo-9' });
    const post = (path: string, body: object) =>
      fetch(`${url}/v1/emissoes/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      });

    test('many callers at once are all served by its one connection, and none twice', async () => {
      const emails = Array.from({ length: 16 }, () => `${randomUUID()}@example.com`);
      const atOnce = <T>(ask: (email: string) => Promise<T>) => Promise.all(emails.map(ask));
      const registered = await atOnce((email) => post('register', { ...pair(email), name: 'Ana', company: 'Casa' }));
      expect(registered.map(({ status }) => status)).toEqual(emails.map(() => 200));
      const rows = await database.dataSource.query<{ email: string }[]>('SELECT email FROM accounts.accounts');
      expect(rows.map(({ email }) => email).sort()).toEqual([...emails].sort());
      const tokens = await atOnce(async (email) => {
        const { accessToken } = (await (await post('login', pair(email))).json()) as { accessToken: string };
        return accessToken;
      });
      const read = await Promise.all(
        tokens.map(async (token) => {
          const headers = { authorization: `Bearer ${token}` };
          const response = await fetch(`${url}/v1/emissoes/auth/me`, { headers });
          return ((await response.json()) as { email?: string }).email;
        }),
      );
      expect(read).toEqual(emails);
    });

    test('a statement over its time limit is cancelled behind it, and the caller is told to come back', async () => {
      const blocker = new pg.Client({ connectionString: database.ownerUrl });
      await blocker.connect();
      await blocker.query('BEGIN; LOCK TABLE accounts.accounts IN ACCESS EXCLUSIVE MODE');
      const response = await post('login', pair('a@example.com'));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect((await blocker.query<{ count: number }>(waiting)).rows).toEqual([{ count: 0 }]);
      await blocker.query('ROLLBACK');
      await blocker.end();
    });
  });

  describe('connections that it holds from before the role had its settings', () => {
    let own: TestDatabase;
    let superuser: pg.Client;
    beforeEach(async () => {
      own = await openTestDatabase({ poolSize: 2 });
      await own.dataSource.destroy();
      superuser = new pg.Client({ connectionString: own.superuserUrl });
      await superuser.connect();
      await superuser.query(`ALTER ROLE lastro_app IN DATABASE ${superuser.database ?? ''} RESET ALL`);
    });
    afterEach(async () => {
      await superuser.end();
      await own.close();
    });

    /** A pooler, and a client that has had it open a connection to the server. */
    async function openEarly() {
      const one = await openPooler({ server: onTcp(own.url), users: [own.url], size: 4 });
      const early = new pg.Client({ connectionString: one.through(own.url) });
      await early.connect();
      await early.query('SELECT 1');
      return { one, early };
    }

    test('are opened anew at the start', async () => {
      const { one, early } = await openEarly();
      await visit(one.through(own.url));
      expect((await early.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
      await early.end();
      await one.close();
    });

    test('are named at the start, with what to do, where the pooler itself gives them a time zone', async () => {
      await superuser.query(`ALTER DATABASE ${superuser.database ?? ''} SET timezone TO 'America/Sao_Paulo'`);
      const { one, early } = await openEarly();
      await expect(visit(one.through(own.url))).rejects.toThrow(/TimeZone.*RECONNECT.*start again/s);
      await inConsole(one, 'RECONNECT');
      await visit(one.through(own.url));
      await early.end();
      await one.close();
    });
  });

  test('one that cannot follow prepared statements is named at the start, with both ways out', async () => {
    const one = await openPooler({ server: onTcp(database.url), users: [database.url], size: 4 });
    const asking = new URL(one.through(database.url));
    asking.searchParams.delete('prepared_statements');
    if (one.followsPrepared) await visit(asking.href);
    else await expect(visit(asking.href)).rejects.toThrow(/max_prepared_statements.*prepared_statements=false/s);
    await one.close();
  });
}
