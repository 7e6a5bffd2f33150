import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '../kit/until.js';
import { maxLagMs, openReplicated } from './replicas-kit.js';

const site = await openReplicated({ DEMO: 'true' });
afterAll(() => site.close());

const reportsOf = (what: RegExp) => site.house.log().match(what)?.length ?? 0;

describe('with two replicas', () => {
  test('published data is read from them without a credential, each in turn, and nothing else is', async () => {
    const scans = () =>
      Promise.all(
        site.standbys.map(async (standby) => {
          const sql = `SELECT seq_scan + idx_scan AS count FROM pg_stat_user_tables WHERE relid = 'tokenization.tranches'::regclass`;
          return Number((await standby.run<{ count: string }>(sql))[0]?.count);
        }),
      );
    const [before, scanned] = [await site.readsOf('replica'), await scans()];
    for (let index = 0; index < 20; index += 1)
      expect(await site.read('S1')).toMatchObject({ status: 200, value: 'DRAFT' });
    expect((await site.readsOf('replica')) - before).toBe(20);
    await until('reads on both replicas', async () =>
      (await scans()).every((count, index) => count > (scanned[index] ?? 0)),
    );
    const after = await site.readsOf('replica');
    expect((await site.graphql('{ it: operators { value: id } }', site.operator.headers)).status).toBe(200);
    expect((await site.read('S1', site.operator.headers)).value).toBe('DRAFT');
    expect(await site.readsOf('replica')).toBe(after);
  });

  test('every documented list and detail of what is published comes from them, and no statement fails there', async () => {
    const nameIn = async (sql: string) => (await site.server.query<{ name: string }>(sql)).rows[0]?.name ?? '';
    const slug = await nameIn('SELECT slug AS name FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1');
    const series = await nameIn(
      'SELECT ticker AS name FROM tokenization.tranches JOIN tokenization.schedule_entries ON tranche_id = tranches.id LIMIT 1',
    );
    const asset = await nameIn('SELECT id AS name FROM tokenization.assets LIMIT 1');
    const repeated = await site.readsOf('repeated');
    for (const path of [
      '/public/patrimonies',
      '/public/tranches',
      `/public/tranches/${series}/details`,
      `/public/tranches/${series}/payment-schedule`,
      `/public/tranches/${series}/unit-prices`,
      '/public/assets',
      '/public/assets?search=a',
      `/public/assets/${asset}`,
      '/emissoes',
      `/emissoes/${slug}`,
    ]) {
      const [before, primaryBefore] = [await site.readsOf('replica'), await site.readsOf('primary')];
      const { status } = await fetch(`${site.house.url}${path}`);
      const fromReplica = (await site.readsOf('replica')) > before;
      expect({ path, status, fromReplica, fromPrimary: (await site.readsOf('primary')) - primaryBefore }).toEqual({
        path,
        status: 200,
        fromReplica: true,
        fromPrimary: 0,
      });
    }
    const past = await site.graphql(
      `{ it: tranche(ticker: "${series}", asOf: "${new Date(Date.now() - 1000).toISOString()}") { value: status } }`,
    );
    expect(past.status).toBe(200);
    expect(await site.readsOf('repeated')).toBe(repeated);
  });

  test('what they show is never older than the bound, even while they replay nothing; that they do not is in the log', async () => {
    await site.rename('S1', 'before');
    await until('the name to be shown', async () => (await site.readName('S1')).name === 'before');
    await site.bothFresh();
    const usedAgain = reportsOf(/is used again/g);
    await site.pause();
    try {
      await site.rename('S1', 'after');
      const renamedAt = performance.now();
      const seen = new Set<unknown>();
      for (let begunAt = renamedAt; begunAt < renamedAt + maxLagMs + 2_000; begunAt = performance.now()) {
        const { status, name } = await site.readName('S1');
        expect(status).toBe(200);
        seen.add(name);
        if (begunAt > renamedAt + maxLagMs) expect(name).toBe('after');
        await sleep(20);
      }
      // The old name was read from a replica, within the bound.
      expect(seen).toEqual(new Set(['before', 'after']));
      expect(await site.fresh()).toBe(0);
      await until('both reports', () => reportsOf(/is too far behind/g) === 2);
    } finally {
      await site.resume();
    }
    await site.bothFresh();
    await until('both reports', () => reportsOf(/is used again/g) === usedAgain + 2);
  });

  test('a caller with a credential reads what was written, while others may get the state before it', async () => {
    await site.bothFresh();
    await site.pause();
    try {
      const ticker = site.draftOf();
      expect(await site.raise(ticker)).toEqual({ status: 200, value: 'FUNDRAISING' });
      const [byOwner, anyone] = await Promise.all([site.read(ticker, site.operator.headers), site.read(ticker)]);
      expect([byOwner.value, anyone.value]).toEqual(['FUNDRAISING', 'DRAFT']);
    } finally {
      await site.resume();
    }
  });

  test('a cached response never sticks to an older state, however replicas alternate with the primary', async () => {
    for (let round = 0; round < 12; round += 1) {
      const name = `round ${round}`;
      if (round % 3 === 0) await site.standbys[0].run('SELECT pg_wal_replay_pause()');
      await site.rename('S2', name);
      const renamedAt = performance.now();
      await Promise.all(Array.from({ length: 6 }, () => site.readName('S2')));
      if (round % 3 === 2) await site.standbys[0].run('SELECT pg_wal_replay_resume()');
      await Promise.all(Array.from({ length: 6 }, () => site.readName('S2')));
      if (round % 4 === 3) {
        await sleep(Math.max(0, renamedAt + maxLagMs - performance.now()) + 1);
        const names = await Promise.all(Array.from({ length: 8 }, () => site.readName('S2')));
        expect(new Set(names.map((one) => one.name))).toEqual(new Set([name]));
      }
    }
    await site.resume();
  });

  test('one that cancels statements, ends connections, is killed or frozen costs no request, and is used again when it is well', async () => {
    await site.bothFresh();
    const [one, other] = site.standbys;
    const [before, statuses] = [await site.readsOf('repeated'), new Set<number>()];
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.add((await site.read('S1')).status);
    });
    await one.run('ALTER SYSTEM SET max_standby_streaming_delay = 0');
    await one.run('SELECT pg_reload_conf()');
    const act = (name: string) =>
      one.run(`SELECT ${name}(pid) FROM pg_stat_activity WHERE application_name LIKE 'lastro reads%'`);
    await until('a statement to be repeated', async () => {
      await act('pg_cancel_backend');
      // A lock that the standby takes over from the primary: it cancels what reads the table.
      await site.server.query('BEGIN; LOCK TABLE tokenization.tranches IN ACCESS EXCLUSIVE MODE; COMMIT');
      await act('pg_terminate_backend');
      return (await site.readsOf('repeated')) > before;
    });
    await one.kill();
    await until('one replica to be left', async () => (await site.fresh()) === 1);
    await one.start();
    await site.bothFresh();
    other.freeze();
    try {
      await until('one replica to be left', async () => (await site.fresh()) === 1);
    } finally {
      other.thaw();
    }
    await site.bothFresh();
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
    expect(site.house.log()).toMatch(/A database replica is not used.*A database replica is used again/s);
  });
});

describe('another process of the program', () => {
  test('reads for the callers of a gateway as one process does, where it is a subgraph', async () => {
    const replicated = site.standbys.map((standby) => standby.at(site.primary.url));
    const names = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];
    // Roles need an address of Redis, and serve without it.
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    const part = await site.openHouse(replicated, { ...env, ROLE: 'subgraph:tokenization' });
    // Nobody asks the others.
    const urlOf = (name: string) => (name === 'tokenization' ? part.url : 'http://127.0.0.1:1');
    const SUBGRAPH_URLS = names.map((name) => `${name}=${urlOf(name)}/graphql`).join(',');
    const gateway = await site.openHouse(replicated, { ...env, ROLE: 'gateway', SUBGRAPH_URLS });
    try {
      await until('both replicas to be in use', async () => (await site.fresh(part)) === 2);
      await site.pause();
      const ticker = site.draftOf();
      await site.raise(ticker, {}, gateway.url);
      const byOwner = await site.read(ticker, site.operator.headers, gateway.url);
      const anyone = await site.read(ticker, {}, gateway.url);
      expect([byOwner.value, anyone.value]).toEqual(['FUNDRAISING', 'DRAFT']);
    } finally {
      await site.resume();
      await gateway.close();
      await part.close();
    }
  });

  test('starts on the primary when no address leads to a usable replica, and says of each what to do', async () => {
    const other = new URL(process.env['TEST_DATABASE_APP_URL'] ?? '');
    other.searchParams.delete('host');
    const elsewhere = new URL(site.standbys[0].at(site.primary.superuserUrl));
    elsewhere.pathname = '/template1';
    const away = new URL(site.primary.url);
    away.port = '1';
    const urls = [site.primary.url, other.href, elsewhere.href, away.href];
    const own = await site.openHouse(urls);
    try {
      expect((await site.read('S1', {}, own.url)).value).toBe('DRAFT');
      expect(await site.fresh(own)).toBe(0);
      const reasons = [
        'it is no standby',
        'it is no database of this program',
        'it is no database of this program',
        'connect ECONNREFUSED',
      ];
      for (const [index, reason] of reasons.entries())
        expect(own.log()).toContain(`"replica":${index + 1},"reason":"${reason}`);
    } finally {
      await own.close();
    }
  });
});

describe('a replica that is promoted', () => {
  test('is no longer read from, whatever it goes on to have', async () => {
    await site.rename('S1', 'of the primary');
    await site.bothFresh();
    const [, promoted] = site.standbys;
    await promoted.run('SELECT pg_promote()');
    await promoted.run(`UPDATE tokenization.tranches SET name = 'of the promoted one' WHERE ticker = 'S1'`);
    await until('one replica to be left', async () => (await site.fresh()) === 1);
    await until('the line in the log', () => site.house.log().includes('"replica":2,"reason":"it is no standby'));
    for (let index = 0; index < 20; index += 1) expect((await site.readName('S1')).name).toBe('of the primary');
  });

  test('does not take the standbys of the old primary along, however far they are', async () => {
    const [stayed, promoted] = site.standbys;
    const own = await site.openHouse([stayed.at(site.primary.url)], {
      DATABASE_URL: promoted.at(site.primary.url),
      DATABASE_ADMIN_URL: promoted.at(site.primary.ownerUrl),
    });
    try {
      expect((await site.readName('S1', own.url)).name).toBe('of the promoted one');
      expect(own.log()).toContain('it has another history than DATABASE_URL');
    } finally {
      await own.close();
    }
  });
});
