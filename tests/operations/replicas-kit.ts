import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPlatform } from '../../bootstrap/platform.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { createLog } from '../../shared/kernel/log.js';
import { testContext, testMasterKey } from '../kit/context.js';
import { newOperator, type TestOperator } from '../kit/operator.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { openPrimary, openStandby, type Primary, type Standby } from '../kit/standby.js';
import { until } from '../kit/until.js';
import { addEstate, addSeries } from '../tokenization/series/kit.js';

export const maxLagMs = 3_000;

/** Series whose status each change uses up, since it only goes on. */
const drafts = Array.from({ length: 40 }, (_, index) => `D${index}`);

export type House = Awaited<ReturnType<typeof openHouse>>;

export interface Got {
  readonly status: number;
  readonly value: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Opens all of it, with the series `S1`, `S2` and some that are drafts. */
export async function openReplicated(env: Headers = {}) {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    const primary = await openPrimary();
    opened.push(() => primary.close());
    const one = await openStandby(primary);
    opened.push(() => one.close());
    const other = await openStandby(primary);
    opened.push(() => other.close());
    const standbys = [one, other] as const;
    const server = new pg.Client(primary.superuserUrl);
    await server.connect();
    opened.push(() => server.end());
    const openOne = (urls: readonly string[], more?: Headers) => openHouse(primary, urls, more);
    const house = await openOne(
      standbys.map((standby) => standby.at(primary.url)),
      env,
    );
    opened.push(() => house.close());
    const { dataSource, clock } = house.infrastructure;
    const operator = await newOperator(testContext({ manager: dataSource.manager, clock }));
    const estate = await addEstate(dataSource.manager, 'PAT1');
    for (const ticker of ['S1', 'S2', ...drafts])
      await addSeries(dataSource.manager, estate, ticker, { status: 'DRAFT' });
    const parts = { primary, standbys, server, house, operator, openHouse: openOne };
    const site = { ...parts, ...watching(house, standbys), ...callers(house.url, operator, server), close };
    await site.bothFresh();
    return site;
  } catch (error) {
    await close();
    throw error;
  }
}

async function openHouse(primary: Primary, replicaUrls: readonly string[], env: Headers = {}) {
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
  const write = (line: string) => void (text += line.includes('"msg":"answered"') ? '' : line);
  const platform = await openPlatform(config, createLog('info', { write }), { background: false });
  return {
    ...platform,
    dataDir,
    log: () => text,
    metric: async (name: string) => {
      const all = await (await fetch(`${platform.url}/metrics`)).text();
      const line = all.split('\n').find((candidate) => candidate.startsWith(`${name} `));
      return Number(line?.slice(name.length) ?? 0);
    },
    close: async () => {
      await platform.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function watching(house: House, standbys: readonly [Standby, Standby]) {
  const fresh = (one = house) => one.metric('database_replicas{state="fresh"}');
  const onBoth = (sql: string) => Promise.all(standbys.map((standby) => standby.run(sql)));
  return {
    fresh,
    bothFresh: () => until('both replicas to be in use', async () => (await fresh()) === 2),
    readsOf: (node: 'replica' | 'primary' | 'repeated') => house.metric(`published_reads_total{node="${node}"}`),
    pause: () => onBoth('SELECT pg_wal_replay_pause()'),
    resume: () => onBoth('SELECT pg_wal_replay_resume()'),
  };
}

function callers(home: string, operator: TestOperator, server: pg.Client) {
  const graphql = async (query: string, headers: Headers = {}, url = home): Promise<Got> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as { data?: { it: { value: string } | null } | null };
    return { status: response.status, value: data?.it?.value };
  };
  /** Reads the status of a series by a document of the caller's own, whose response is not cached. */
  const read = (ticker: string, headers?: Headers, url?: string) =>
    graphql(`{ it: tranche(ticker: "${ticker}") { value: status } }`, headers, url);
  const raise = (ticker: string, headers: Headers = {}, url?: string) =>
    graphql(
      `mutation { it: changeTrancheStatus(ticker: "${ticker}", status: FUNDRAISING) { value: status } }`,
      { ...operator.headers, ...headers },
      url,
    );
  let next = 0;
  return {
    graphql,
    read,
    raise,
    draftOf: () => drafts[next++ % drafts.length] ?? '',
    rename: (ticker: string, name: string) =>
      server.query('UPDATE tokenization.tranches SET name = $2 WHERE ticker = $1', [ticker, name]),
    /** Reads that name by a documented path, whose responses are cached. */
    readName: async (ticker: string, url = home) => {
      const response = await fetch(`${url}/public/tranches/${ticker}/details`);
      const body = (await response.json()) as { name?: unknown };
      return { status: response.status, name: body.name };
    },
  };
}
