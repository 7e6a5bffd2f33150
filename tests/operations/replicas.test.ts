import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openPlatform, type Platform } from '../../bootstrap/platform.js';
import { loadConfig } from '../../shared/config.js';
import { createLog } from '../../shared/log.js';
import { eventually } from '../hostile/kit.js';
import { testContext, testMasterKey } from '../kit/context.js';
import { newOperator, type TestOperator } from '../kit/operator.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { openOwnRedis, ownRedisMissing } from '../kit/redis.js';
import { openPrimary, openStandby, type Primary, type Standby } from '../kit/standby.js';
import { addEstate, addSeries } from '../tokenization/series-kit.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: two processes that share a Redis (${ownRedisMissing})`);
const sharing = ownRedisMissing === undefined ? test : test.skip;

const maxLagMs = 3_000;
/** More than one series is set up for each change of a status, which only goes on. */
const drafts = Array.from({ length: 40 }, (_, index) => `D${index}`);

let primary: Primary;
let standbys: readonly [Standby, Standby];
let server: pg.Client;
let house: House;
let operator: TestOperator;
const opened: (() => Promise<unknown>)[] = [];

/** The program on the primary, with given replicas. */
interface House extends Platform {
  log(): string;
  /** The value of a metric with its labels; 0 where there is none. */
  metric(name: string): Promise<number>;
}

async function openHouse(replicaUrls: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lastro-replicas-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: primary.url,
    DATABASE_ADMIN_URL: primary.ownerUrl,
    DATABASE_POOL: '6',
    DATABASE_REPLICA_URLS: replicaUrls.join(','),
    REPLICA_MAX_LAG: String(maxLagMs / 1000),
    MASTER_KEY: testMasterKey.toString('base64'),
    DEMO: 'false',
    ...rateLimitVariables(1_000_000),
    ...env,
  });
  let text = '';
  // Of the many lines about requests, none.
  const write = (line: string) => void (text += /"msg":"answered"/.test(line) ? '' : line);
  const log = createLog('info', { write });
  const platform = await openPlatform(config, log, { background: false });
  return {
    ...platform,
    log: () => text,
    metric: async (name) => {
      const all = await (await fetch(`${platform.url}/metrics`)).text();
      return Number(
        all
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length) ?? 0,
      );
    },
    close: async () => {
      await platform.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const fresh = (one = house) => one.metric('database_replicas{state="fresh"}');
const readsOf = (node: string) => house.metric(`published_reads_total{node="${node}"}`);
const bothFresh = () => eventually('both replicas are in use', async () => (await fresh()) === 2, 60_000);
const pause = () => Promise.all(standbys.map((standby) => standby.run('SELECT pg_wal_replay_pause()')));
const resume = () => Promise.all(standbys.map((standby) => standby.run('SELECT pg_wal_replay_resume()')));

interface Got {
  readonly status: number;
  readonly token: string | null;
  readonly replayed: boolean;
  readonly value: string | undefined;
}

async function graphql(query: string, headers: Readonly<Record<string, string>> = {}, url = house.url): Promise<Got> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data?: { it: { value: string } | null } | null };
  return {
    status: response.status,
    token: response.headers.get('x-read-after'),
    replayed: response.headers.get('x-idempotent-replayed') === 'true',
    value: data?.it?.value,
  };
}

/** Reads a published value: by a document of the caller's own, which no cache of responses holds. */
const read = (ticker: string, headers = {}, url?: string) =>
  graphql(`{ it: tranche(ticker: "${ticker}") { value: status } }`, headers, url);
/** Changes the same value, as an operator. */
const raise = (ticker: string, headers = {}, url?: string) =>
  graphql(
    `mutation { it: changeTrancheStatus(ticker: "${ticker}", status: FUNDRAISING) { value: status } }`,
    { ...operator.headers, ...headers },
    url,
  );
/** Changes a published name past the program. */
const rename = (ticker: string, name: string) =>
  server.query('UPDATE tokenization.tranches SET name = $2 WHERE ticker = $1', [ticker, name]);

/** Reads a published name by a documented path, whose responses are cached. */
async function readName(ticker: string, url = house.url): Promise<{ status: number; name: unknown }> {
  const response = await fetch(`${url}/public/tranches/${ticker}/details`);
  const body = (await response.json()) as { name?: unknown };
  return { status: response.status, name: body.name };
}

const draftOf = (() => {
  let next = 0;
  return () => drafts[next++ % drafts.length] ?? '';
})();

beforeAll(async () => {
  primary = await openPrimary();
  opened.push(() => primary.close());
  const one = await openStandby(primary);
  opened.push(() => one.close());
  const other = await openStandby(primary);
  opened.push(() => other.close());
  standbys = [one, other];
  server = new pg.Client(primary.superuserUrl);
  await server.connect();
  opened.push(() => server.end());
  house = await openHouse(standbys.map((standby) => standby.at(primary.url)));
  opened.push(() => house.close());
  const { dataSource } = house.infrastructure;
  operator = await newOperator(testContext({ manager: dataSource.manager, clock: house.infrastructure.clock }));
  const estate = await addEstate(dataSource.manager, 'PAT1');
  for (const ticker of ['S1', 'S2', ...drafts])
    await addSeries(dataSource.manager, estate, ticker, { status: 'DRAFT' });
  await bothFresh();
}, 180_000);

afterAll(async () => {
  for (const close of opened.reverse()) await close();
});

describe('with two replicas', () => {
  test('published data is read from them, each in turn, and nothing else is', async () => {
    const before = await readsOf('replica');
    const rowsRead = async () => {
      const of = (standby: Standby) =>
        standby.run<{ count: string }>(
          `SELECT tup_fetched + tup_returned AS count FROM pg_stat_database WHERE datname = '${new URL(primary.url).pathname.slice(1)}'`,
        );
      return Promise.all(standbys.map(async (standby) => Number((await of(standby))[0]?.count)));
    };
    const [first = 0, second = 0] = await rowsRead();
    for (let index = 0; index < 20; index += 1) expect(await read('S1')).toMatchObject({ status: 200, value: 'DRAFT' });
    expect((await readsOf('replica')) - before).toBe(20);
    await eventually('both have read rows', async () => {
      const [now = 0, other = 0] = await rowsRead();
      return now > first && other > second;
    });
    const after = await readsOf('replica');
    expect((await graphql('{ it: operators { value: id } }', operator.headers)).status).toBe(200);
    expect(await readsOf('replica')).toBe(after);
  });

  test('what they show is never older than the bound, even while they replay nothing', async () => {
    await rename('S1', 'before');
    await eventually('the name is shown', async () => (await readName('S1')).name === 'before');
    await bothFresh();
    await pause();
    try {
      await rename('S1', 'after');
      const renamedAt = performance.now();
      const seen = new Set<unknown>();
      for (let begunAt = renamedAt; begunAt < renamedAt + maxLagMs + 2_000; begunAt = performance.now()) {
        const { status, name } = await readName('S1');
        expect(status).toBe(200);
        seen.add(name);
        if (begunAt > renamedAt + maxLagMs) expect(name).toBe('after');
        await sleep(20);
      }
      // The old name was read from a replica, within the bound.
      expect(seen).toEqual(new Set(['before', 'after']));
      expect(await fresh()).toBe(0);
    } finally {
      await resume();
    }
    await bothFresh();
  });

  test('a caller reads what it wrote: by the token of the response, and without it by who it is', async () => {
    for (let round = 0; round < 3; round += 1) {
      await bothFresh();
      await pause();
      try {
        const ticker = draftOf();
        const written = await raise(ticker);
        expect(written).toMatchObject({ status: 200, value: 'FUNDRAISING', token: expect.any(String) });
        const [byToken, byOwner, anyone] = await Promise.all([
          read(ticker, { 'x-read-after': written.token ?? '' }),
          read(ticker, operator.headers),
          read(ticker),
        ]);
        expect([byToken.value, byOwner.value]).toEqual(['FUNDRAISING', 'FUNDRAISING']);
        // That it was not on the replicas shows that the two others did not come from there.
        expect(anyone.value).toBe('DRAFT');
      } finally {
        await resume();
      }
    }
  });

  test('a token whose position a replica has replayed leads to that replica', async () => {
    await bothFresh();
    const { token } = await raise(draftOf());
    await eventually('a replica has it', async () => {
      const before = await readsOf('replica');
      await read('S1', { 'x-read-after': token ?? '' });
      return (await readsOf('replica')) === before + 1;
    });
  });

  test('the stored response to a repeated request has a token too', async () => {
    await bothFresh();
    const ticker = draftOf();
    const headers = { 'x-idempotency-key': `raise-${ticker}` };
    await raise(ticker, headers);
    await pause();
    try {
      const again = await raise(ticker, headers);
      expect(again).toMatchObject({ status: 200, replayed: true, token: expect.any(String) });
      expect((await read(ticker, { 'x-read-after': again.token ?? '' })).value).toBe('FUNDRAISING');
    } finally {
      await resume();
    }
  });

  test('a token that is not of this service is as good as none, and only responses to writes have one', async () => {
    await bothFresh();
    const before = await readsOf('replica');
    const forged = `${'0'.repeat(8)}.${(2n ** 64n - 1n).toString(36)}.${'A'.repeat(22)}`;
    for (const token of [forged, 'x', '', 'é'.repeat(3)]) {
      const got = await read('S1', { 'x-read-after': encodeURIComponent(token) });
      expect(got).toMatchObject({ status: 200, token: null });
    }
    expect((await readsOf('replica')) - before).toBe(4);
  });

  test('a cached response never sticks to an older state, however replicas alternate with the primary', async () => {
    for (let round = 0; round < 12; round += 1) {
      const name = `round ${round}`;
      if (round % 3 === 0) await standbys[0].run('SELECT pg_wal_replay_pause()');
      await rename('S2', name);
      const renamedAt = performance.now();
      await Promise.all(Array.from({ length: 6 }, () => readName('S2')));
      if (round % 3 === 2) await standbys[0].run('SELECT pg_wal_replay_resume()');
      await Promise.all(Array.from({ length: 6 }, () => readName('S2')));
      if (round % 4 === 3) {
        await sleep(Math.max(0, renamedAt + maxLagMs - performance.now()) + 1);
        const names = await Promise.all(Array.from({ length: 8 }, () => readName('S2')));
        expect(new Set(names.map((one) => one.name))).toEqual(new Set([name]));
      }
    }
    await resume();
  });

  test('one that cancels statements and ends connections under load costs no request', async () => {
    await bothFresh();
    const [before, statuses] = [await readsOf('repeated'), new Set<number>()];
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.add((await read('S1')).status);
    });
    await standbys[0].run('ALTER SYSTEM SET max_standby_streaming_delay = 0');
    await standbys[0].run('SELECT pg_reload_conf()');
    const act = (name: string) =>
      standbys[0].run(`SELECT ${name}(pid) FROM pg_stat_activity WHERE application_name = 'lastro-all'`);
    await eventually('some statement was repeated', async () => {
      await act('pg_cancel_backend');
      // A lock that the standby takes over from the primary: it cancels what reads the table.
      await server.query('BEGIN; LOCK TABLE tokenization.tranches IN ACCESS EXCLUSIVE MODE; COMMIT');
      await act('pg_terminate_backend');
      return (await readsOf('repeated')) > before;
    });
    await standbys[0].run('ALTER SYSTEM RESET max_standby_streaming_delay');
    await standbys[0].run('SELECT pg_reload_conf()');
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
  });

  test('one that is killed or frozen under load costs no request, and is used again when it is well', async () => {
    await bothFresh();
    const statuses = new Set<number>();
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.add((await read('S1')).status);
    });
    await standbys[0].kill();
    await eventually('one is left', async () => (await fresh()) === 1);
    await standbys[0].start();
    await bothFresh();
    standbys[1].freeze();
    try {
      await eventually('one is left', async () => (await fresh()) === 1);
    } finally {
      standbys[1].thaw();
    }
    await bothFresh();
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
    expect(house.log()).toMatch(/A database replica is away.*A database replica is used again/s);
  });
});

describe('another process of the program', () => {
  sharing('shows a caller what another one wrote for it, and so it does while Redis is away', async () => {
    const redis = await openOwnRedis();
    const urls = standbys.map((standby) => standby.at(primary.url));
    const houses = [
      await openHouse(urls, { REDIS_URL: redis.url }),
      await openHouse(urls, { REDIS_URL: redis.url }),
    ] as const;
    try {
      for (const isAway of [false, true]) {
        for (const one of houses) await eventually('both are in use', async () => (await fresh(one)) === 2);
        if (isAway) await redis.kill();
        await pause();
        const ticker = draftOf();
        const written = await raise(ticker, {}, houses[0].url);
        const byOwner = await read(ticker, operator.headers, houses[1].url);
        const byToken = await read(ticker, { 'x-read-after': written.token ?? '' }, houses[1].url);
        const anyone = await read(ticker, {}, houses[1].url);
        expect([byOwner.value, byToken.value, anyone.value]).toEqual(['FUNDRAISING', 'FUNDRAISING', 'DRAFT']);
        await resume();
      }
    } finally {
      await resume();
      for (const one of houses) await one.close();
      await redis.close();
    }
  });

  sharing('reads and writes for the callers of a gateway as one process does, where it is a subgraph', async () => {
    const redis = await openOwnRedis();
    const replicated = standbys.map((standby) => standby.at(primary.url));
    const env = { REDIS_URL: redis.url };
    const names = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];
    const part = await openHouse(replicated, { ...env, ROLE: 'subgraph:tokenization' });
    // Nobody asks the others.
    const urlOf = (name: string) => (name === 'tokenization' ? part.url : 'http://127.0.0.1:1');
    const SUBGRAPH_URLS = names.map((name) => `${name}=${urlOf(name)}/graphql`).join(',');
    const gateway = await openHouse(replicated, { ...env, ROLE: 'gateway', SUBGRAPH_URLS });
    try {
      await eventually('both are in use', async () => (await fresh(part)) === 2);
      await pause();
      const ticker = draftOf();
      const { token } = await raise(ticker, {}, gateway.url);
      const byToken = await read(ticker, { 'x-read-after': token ?? '' }, gateway.url);
      const byOwner = await read(ticker, operator.headers, gateway.url);
      const anyone = await read(ticker, {}, gateway.url);
      expect([byToken.value, byOwner.value, anyone.value]).toEqual(['FUNDRAISING', 'FUNDRAISING', 'DRAFT']);
    } finally {
      await resume();
      await gateway.close();
      await part.close();
      await redis.close();
    }
  });

  test('does not mix the servers behind an address that leads to several', async () => {
    let turn = 0;
    const sockets = new Set<Socket>();
    const balancer = createServer((client) => {
      turn += 1;
      const upstream = connect(Number(new URL(standbys[turn % 2 === 0 ? 0 : 1].at(primary.url)).port), '127.0.0.1');
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => undefined).on('close', () => to.destroy());
        from.pipe(to);
      }
    }).listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    const address = new URL(primary.url);
    address.port = String((balancer.address() as AddressInfo).port);
    const own = await openHouse([address.href]);
    try {
      const reads = await Promise.all(Array.from({ length: 30 }, () => read('S1', {}, own.url)));
      expect(new Set(reads.map(({ status, value }) => `${status} ${String(value)}`))).toEqual(new Set(['200 DRAFT']));
      await eventually('it is said', () => own.log().includes('the address leads to more than one server'));
    } finally {
      await own.close();
      for (const socket of sockets) socket.destroy();
      balancer.close();
    }
  });

  test('starts on the primary when no address leads to a usable replica, and says of each what to do', async () => {
    const other = new URL(process.env['TEST_DATABASE_APP_URL'] ?? '');
    other.searchParams.delete('host');
    const elsewhere = new URL(standbys[0].at(primary.superuserUrl));
    elsewhere.pathname = '/template1';
    const away = new URL(primary.url);
    away.port = '1';
    const urls = [primary.url, other.href, elsewhere.href, away.href];
    const own = await openHouse(urls);
    try {
      expect((await read('S1', {}, own.url)).value).toBe('DRAFT');
      expect(await fresh(own)).toBe(0);
      expect(own.log()).toContain('Database replica 1 is no standby');
      expect(own.log()).toContain('Database replica 2 is of another installation than DATABASE_URL');
      expect(own.log()).toContain('Database replica 3 lacks the migrations');
      expect(own.log()).toContain('"replica":4,"reason":"connect ECONNREFUSED');
    } finally {
      await own.close();
    }
  });
});

describe('a replica that is promoted', () => {
  test('is no longer read from, whatever it goes on to have', async () => {
    await rename('S1', 'of the primary');
    await bothFresh();
    const [, promoted] = standbys;
    await promoted.run('SELECT pg_promote()');
    await promoted.run(`UPDATE tokenization.tranches SET name = 'of the promoted one' WHERE ticker = 'S1'`);
    await eventually('one is left', async () => (await fresh()) === 1);
    await eventually('it is said', () => house.log().includes('Database replica 2 is no standby'));
    for (let index = 0; index < 20; index += 1) expect((await readName('S1')).name).toBe('of the primary');
  });

  test('does not take the standbys of the old primary along, however far they are', async () => {
    const [stayed, promoted] = standbys;
    const own = await openHouse([stayed.at(primary.url)], {
      DATABASE_URL: promoted.at(primary.url),
      DATABASE_ADMIN_URL: promoted.at(primary.ownerUrl ?? ''),
    });
    try {
      expect((await readName('S1', own.url)).name).toBe('of the promoted one');
      expect(own.log()).toContain(
        'Database replica 1 does not show that it follows the new primary (timeline 2; it shows 1)',
      );
    } finally {
      await own.close();
    }
  });
});
