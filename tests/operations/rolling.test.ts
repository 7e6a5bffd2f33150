import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { callersOf, type Callers } from '../hostile/away-kit.js';
import { testMasterKey } from '../kit/context.js';
import { openBareDatabase, type BareDatabase } from '../kit/database.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { openTestRedis, redisMissing, type TestRedis } from '../kit/redis.js';
import { until } from '../kit/until.js';
import { build, killGroup, newDataFolder, startProgram, type Program } from '../start/program.js';
import { openPreviousVersion, previousMissing, type PreviousVersion } from './previous-version.js';

const missing = previousMissing() ?? redisMissing;
if (missing !== undefined) console.warn(`Skipped: a roll-out from the previous version (${missing})`);
const rollingOut = missing === undefined ? describe : describe.skip;

const full = process.env['ROLLING_FULL'] === '1';
const whole = full ? test : test.skip;
if (missing === undefined && !full)
  console.warn(
    'Skipped: parts of different versions, and the tests of the previous interfaces (ROLLING_FULL=1 runs them)',
  );
/** How long both versions serve together. */
const togetherMs = full ? 60_000 : 4_000;
/** How long the tests of the previous version may take. */
const longestMs = 3_600_000;
/** Tests of the previous version's interfaces. */
const interfaceTests = [
  'rest',
  'graph',
  'mcp',
  'credit-assignment',
  'issuances',
  'tokenization',
  'trading',
  'webhooks',
];
/** Those of them that hold for the previous schema alone: plans of single tables, and numbers of deliveries, which this version brings up to date for the previous one by a job. */
const ofItsOwnSchema = [
  'by indexes',
  'a status narrows deliveries and their number',
  'show a delivery by the id of its event, and send it again',
];
const subgraphs = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];

/** Callers who ask all programs of a set by turns, until they are stopped. */
interface Load {
  readonly targets: Map<string, Callers>;
  /** What did not succeed, as `version, interface: status`. */
  readonly failures: string[];
  readonly counted: Map<string, number>;
  stop(): Promise<void>;
}

function beginLoad(): Load {
  const targets: Load['targets'] = new Map();
  const failures: string[] = [];
  const counted: Load['counted'] = new Map();
  let stopped = false;
  let turn = 0;
  const ask = async () => {
    while (!stopped) {
      turn += 1;
      const [name, callers] = [...targets][turn % Math.max(1, targets.size)] ?? [];
      if (name === undefined || callers === undefined) {
        await sleep(20);
        continue;
      }
      const requests = Object.entries({ ...callers.reads, ...callers.writes });
      const [kind = '', request] = requests[Math.floor(turn / 2) % requests.length] ?? [];
      const outcome = await request?.().then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
      counted.set(name, (counted.get(name) ?? 0) + 1);
      if (outcome !== 200 && outcome !== 201) failures.push(`${name}, ${kind}: ${String(outcome)}`);
    }
  };
  const asking = Array.from({ length: 4 }, ask);
  return {
    targets,
    failures,
    counted,
    stop: async () => {
      stopped = true;
      await Promise.all(asking);
    },
  };
}

rollingOut('A roll-out from the previous version', () => {
  let previous: PreviousVersion;
  let database: BareDatabase;
  let redis: TestRedis;
  let folder: Awaited<ReturnType<typeof newDataFolder>>;
  const programs: Program[] = [];

  /** Starts a process of a version. */
  const start = (version: 'previous' | 'this', env: Readonly<Record<string, string>> = {}): Program => {
    const program = startProgram({
      ...(version === 'previous' && { checkout: previous.folder }),
      env: {
        DATABASE_URL: database.directUrl,
        DATABASE_POOL: '4',
        REDIS_URL: redis.url,
        MASTER_KEY: testMasterKey.toString('base64'),
        DATA_DIR: folder.dataDir,
        LOG_LEVEL: 'warn',
        ...rateLimitVariables(100_000),
        ...env,
      },
    });
    programs.push(program);
    return program;
  };
  const migrate = async (version: 'previous' | 'this') => {
    const job = start(version, { ROLE: 'migrate', DATABASE_ADMIN_URL: database.ownerUrl });
    expect([await job.ended, job.output()]).toEqual([{ code: 0, signal: null }, expect.any(String)]);
  };
  const urlOf = async ({ ready }: Program) => (await ready).replace('localhost', '127.0.0.1');
  const callersAt = async (program: Program) => callersOf(await urlOf(program), folder.dataDir);
  const end = async (program: Program) => {
    program.child.kill('SIGTERM');
    await program.ended;
  };

  /** Requires that every one of a load's programs was asked, and that none failed. */
  const expectServed = async (load: Load, ...names: readonly string[]) => {
    await load.stop();
    expect(load.failures).toEqual([]);
    expect([...load.counted.keys()]).toEqual(expect.arrayContaining([...names]));
  };

  beforeAll(async () => {
    await build();
    previous = await openPreviousVersion();
    // Reached without a pooler: behind one the previous version gives statements names of its own, which PgBouncer before 1.21 mixes up.
    database = await openBareDatabase();
    redis = await openTestRedis();
    folder = await newDataFolder();
  });
  afterAll(async () => {
    await Promise.all(programs.map(killGroup));
    await redis.close();
    await database.close();
    await folder.remove();
    previous.remove();
  });

  test('serves by both versions while the schema is migrated, the new one comes, the old one goes, and after a roll-back', async () => {
    await migrate('previous');
    const old = start('previous', { DEMO: 'true' });
    const oldCallers = await callersAt(old);
    const load = beginLoad();
    load.targets.set('the old one', oldCallers);
    await sleep(1_000);
    await migrate('this');

    const young = start('this');
    const youngCallers = await callersAt(young);
    load.targets.set('the new one', youngCallers);
    for (const [first, second] of [
      [oldCallers, youngCallers],
      [youngCallers, oldCallers],
    ] as const) {
      const request = { key: randomUUID(), externalId: randomUUID() };
      const created = await first.createBatch(request);
      const repeated = await second.createBatch(request);
      expect([created.status, created.replayed]).toEqual([201, false]);
      expect([repeated.status, repeated.replayed, repeated.body]).toEqual([201, true, created.body]);
    }
    await sleep(togetherMs);

    load.targets.delete('the old one');
    await sleep(500);
    await end(old);
    const again = start('previous');
    load.targets.set('the old one again', await callersAt(again));
    load.targets.delete('the new one');
    await sleep(togetherMs);
    await expectServed(load, 'the old one', 'the new one', 'the old one again');
    for (const { output } of [old, young, again]) expect(output()).not.toMatch(/"level":(50|60)/);

    const client = new pg.Client(database.ownerUrl);
    await client.connect();
    const waiting = async () => {
      const { rows } = await client.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM shared.outbox WHERE published_at IS NULL',
      );
      return rows[0]?.count;
    };
    await until('the outbox to be empty', async () => (await waiting()) === 0, { within: 240_000 });
    await client.end();
    await Promise.all([end(young), end(again)]);
  });

  whole('serves by gateways and subgraphs of different versions, whichever comes first', async () => {
    const subgraphsOf = async (version: 'previous' | 'this') => {
      const started = subgraphs.map((name) => start(version, { ROLE: `subgraph:${name}` }));
      const urls = await Promise.all(started.map(urlOf));
      return subgraphs.map((name, index) => `${name}=${urls[index] ?? ''}/graphql`).join();
    };
    const load = beginLoad();
    for (const [gateway, below] of [
      ['this', 'previous'],
      ['previous', 'this'],
    ] as const) {
      const program = start(gateway, { ROLE: 'gateway', SUBGRAPH_URLS: await subgraphsOf(below) });
      load.targets.set(`gateway of ${gateway} version`, await callersAt(program));
    }
    await sleep(togetherMs);
    await expectServed(load, 'gateway of this version', 'gateway of previous version');
    for (const { output } of programs) expect(output()).not.toMatch(/"level":(50|60)/);
  });

  whole(
    'leaves a schema on which the tests of the previous interfaces pass',
    async () => {
      previous.takeMigrations();
      const { PATH, HOME } = process.env;
      const paths = interfaceTests.map((name) => `tests/${name}`);
      // Not by npm, which would leave the tests running when it is ended.
      const jest = ['--import', './tests/kit/typescript.mjs', 'node_modules/jest/bin/jest.js'];
      const named = ['--testNamePattern', `^(?!.*(?:${ofItsOwnSchema.join('|')}))`];
      const { stderr } = await promisify(execFile)(process.execPath, [...jest, ...named, ...paths], {
        cwd: previous.folder,
        env: { PATH, HOME },
        timeout: longestMs,
        maxBuffer: 100_000_000,
      });
      expect(stderr).toMatch(/^Tests: {7}(?!.*failed).*[1-9]\d* passed/m);
    },
    longestMs + 60_000,
  );
});
