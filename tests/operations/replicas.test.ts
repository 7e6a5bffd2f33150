import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Standby } from '../kit/standby.js';
import { until } from '../kit/until.js';
import { maxLagMs, openReplicated, type Replicated } from './replicas-kit.js';

let site: Replicated;
beforeAll(async () => {
  site = await openReplicated({ DEMO: 'true' });
}, 180_000);
afterAll(() => site.close());

const reportsOf = (what: RegExp) => site.house.log().match(what)?.length ?? 0;

describe('with two replicas', () => {
  test('published data is read from them, each in turn, and nothing else is', async () => {
    const before = await site.readsOf('replica');
    const rowsRead = async () => {
      const of = (standby: Standby) =>
        standby.run<{ count: string }>(
          `SELECT tup_fetched + tup_returned AS count FROM pg_stat_database WHERE datname = '${new URL(site.primary.url).pathname.slice(1)}'`,
        );
      return Promise.all(site.standbys.map(async (standby) => Number((await of(standby))[0]?.count)));
    };
    const [first = 0, second = 0] = await rowsRead();
    for (let index = 0; index < 20; index += 1)
      expect(await site.read('S1')).toMatchObject({ status: 200, value: 'DRAFT' });
    expect((await site.readsOf('replica')) - before).toBe(20);
    await until('reads on both replicas', async () => {
      const [now = 0, other = 0] = await rowsRead();
      return now > first && other > second;
    });
    const after = await site.readsOf('replica');
    expect((await site.graphql('{ it: operators { value: id } }', site.operator.headers)).status).toBe(200);
    expect(await site.readsOf('replica')).toBe(after);
  });

  test('every documented list and detail of what is published comes from them, and no statement fails there', async () => {
    const form = z.object({ publicApiKey: z.string() });
    const file = await readFile(join(site.house.dataDir, 'demo-credentials.json'), 'utf8');
    const headers = { 'x-api-key': form.parse(JSON.parse(file)).publicApiKey };
    const nameIn = async (sql: string) => (await site.server.query<{ name: string }>(sql)).rows[0]?.name ?? '';
    const operation = await nameIn(
      'SELECT ticker AS name FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
    );
    const series = await nameIn(
      'SELECT ticker AS name FROM tokenization.tranches JOIN tokenization.schedule_entries ON tranche_id = tranches.id LIMIT 1',
    );
    const asset = await nameIn('SELECT id AS name FROM tokenization.assets LIMIT 1');
    const repeated = await site.readsOf('repeated');
    for (const path of [
      '/v1/emissoes/operacoes',
      `/v1/emissoes/operacoes/${operation}`,
      `/v1/emissoes/operacoes/${operation}/estoque`,
      '/public/patrimonies',
      '/public/tranches',
      `/public/tranches/${series}/details`,
      `/public/tranches/${series}/payment-schedule`,
      `/public/tranches/${series}/unit-prices`,
      '/public/assets',
      '/public/assets?search=a',
      `/public/assets/${asset}`,
      '/emissoes',
    ]) {
      const [before, primaryBefore] = [await site.readsOf('replica'), await site.readsOf('primary')];
      const { status } = await fetch(`${site.house.url}${path}`, { headers });
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
      // The looks meanwhile found standbys that are well, but not current.
      expect(reportsOf(/is used again/g)).toBe(usedAgain);
    } finally {
      await site.resume();
    }
    await site.bothFresh();
    await until('both reports', () => reportsOf(/is used again/g) === usedAgain + 2);
  });

  test('a caller reads what it wrote: by the token of the response, and without it by who it is', async () => {
    for (let round = 0; round < 3; round += 1) {
      await site.bothFresh();
      await site.pause();
      try {
        const ticker = site.draftOf();
        const written = await site.raise(ticker);
        expect(written).toMatchObject({ status: 200, value: 'FUNDRAISING', token: expect.any(String) });
        const [byToken, byOwner, anyone] = await Promise.all([
          site.read(ticker, { 'x-read-after': written.token ?? '' }),
          site.read(ticker, site.operator.headers),
          site.read(ticker),
        ]);
        expect([byToken.value, byOwner.value]).toEqual(['FUNDRAISING', 'FUNDRAISING']);
        // That it was not on the replicas shows that the two others did not come from there.
        expect(anyone.value).toBe('DRAFT');
      } finally {
        await site.resume();
      }
    }
  });

  test('a token whose position a replica has replayed leads to that replica', async () => {
    await site.bothFresh();
    const { token } = await site.raise(site.draftOf());
    await until('a replica to have the name', async () => {
      const before = await site.readsOf('replica');
      await site.read('S1', { 'x-read-after': token ?? '' });
      return (await site.readsOf('replica')) === before + 1;
    });
  });

  test('the stored response to a repeated request has a token too', async () => {
    await site.bothFresh();
    const ticker = site.draftOf();
    const headers = { 'x-idempotency-key': `raise-${ticker}` };
    await site.pause();
    try {
      await site.raise(ticker, headers);
      const again = await site.raise(ticker, headers);
      expect(again).toMatchObject({ status: 200, replayed: true, token: expect.any(String) });
      const [byToken, anyone] = [
        await site.read(ticker, { 'x-read-after': again.token ?? '' }),
        await site.read(ticker),
      ];
      expect([byToken.value, anyone.value]).toEqual(['FUNDRAISING', 'DRAFT']);
    } finally {
      await site.resume();
    }
  });

  test('a token that is not of this service is as good as none, and only responses to writes have one', async () => {
    await site.bothFresh();
    const before = await site.readsOf('replica');
    const forged = `${'0'.repeat(8)}.${(2n ** 64n - 1n).toString(36)}.${'A'.repeat(22)}`;
    for (const token of [forged, 'x', '', 'é'.repeat(3)]) {
      const got = await site.read('S1', { 'x-read-after': encodeURIComponent(token) });
      expect(got).toMatchObject({ status: 200, token: null });
    }
    expect((await site.readsOf('replica')) - before).toBe(4);
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

  test('one that cancels statements and ends connections under load costs no request', async () => {
    await site.bothFresh();
    const [before, statuses] = [await site.readsOf('repeated'), new Set<number>()];
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.add((await site.read('S1')).status);
    });
    await site.standbys[0].run('ALTER SYSTEM SET max_standby_streaming_delay = 0');
    await site.standbys[0].run('SELECT pg_reload_conf()');
    const act = (name: string) =>
      site.standbys[0].run(`SELECT ${name}(pid) FROM pg_stat_activity WHERE application_name = 'lastro-all'`);
    await until('a statement to be repeated', async () => {
      await act('pg_cancel_backend');
      // A lock that the standby takes over from the primary: it cancels what reads the table.
      await site.server.query('BEGIN; LOCK TABLE tokenization.tranches IN ACCESS EXCLUSIVE MODE; COMMIT');
      await act('pg_terminate_backend');
      return (await site.readsOf('repeated')) > before;
    });
    await site.standbys[0].run('ALTER SYSTEM RESET max_standby_streaming_delay');
    await site.standbys[0].run('SELECT pg_reload_conf()');
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
  });

  test('one that is killed or frozen under load costs no request, and is used again when it is well', async () => {
    await site.bothFresh();
    const statuses = new Set<number>();
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.add((await site.read('S1')).status);
    });
    await site.standbys[0].kill();
    await until('one replica to be left', async () => (await site.fresh()) === 1);
    await site.standbys[0].start();
    await site.bothFresh();
    site.standbys[1].freeze();
    try {
      await until('one replica to be left', async () => (await site.fresh()) === 1);
    } finally {
      site.standbys[1].thaw();
    }
    await site.bothFresh();
    isOver = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
    expect(site.house.log()).toMatch(/A database replica is away.*A database replica is used again/s);
  });
});
