import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openOwnRedis, ownRedisMissing } from '../kit/redis.js';
import { until } from '../kit/until.js';
import { openReplicated, type Replicated } from './replicas-kit.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: two processes that share a Redis (${ownRedisMissing})`);
const sharing = ownRedisMissing === undefined ? test : test.skip;

let site: Replicated;
beforeAll(async () => {
  site = await openReplicated();
}, 180_000);
afterAll(() => site.close());

describe('another process of the program', () => {
  sharing('shows a caller what another one wrote for it, and so it does while Redis is away', async () => {
    const redis = await openOwnRedis();
    const urls = site.standbys.map((standby) => standby.at(site.primary.url));
    const houses = [
      await site.openHouse(urls, { REDIS_URL: redis.url }),
      await site.openHouse(urls, { REDIS_URL: redis.url }),
    ] as const;
    try {
      for (const isAway of [false, true]) {
        for (const one of houses) await until('both replicas to be in use', async () => (await site.fresh(one)) === 2);
        if (isAway) await redis.kill();
        await site.pause();
        const ticker = site.draftOf();
        const written = await site.raise(ticker, {}, houses[0].url);
        const byOwner = await site.read(ticker, site.operator.headers, houses[1].url);
        const byToken = await site.read(ticker, { 'x-read-after': written.token ?? '' }, houses[1].url);
        const anyone = await site.read(ticker, {}, houses[1].url);
        expect([byOwner.value, byToken.value, anyone.value]).toEqual(['FUNDRAISING', 'FUNDRAISING', 'DRAFT']);
        await site.resume();
      }
    } finally {
      await site.resume();
      for (const one of houses) await one.close();
      await redis.close();
    }
  });

  sharing('reads and writes for the callers of a gateway as one process does, where it is a subgraph', async () => {
    const redis = await openOwnRedis();
    const replicated = site.standbys.map((standby) => standby.at(site.primary.url));
    const env = { REDIS_URL: redis.url };
    const names = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];
    const part = await site.openHouse(replicated, { ...env, ROLE: 'subgraph:tokenization' });
    // Nobody asks the others.
    const urlOf = (name: string) => (name === 'tokenization' ? part.url : 'http://127.0.0.1:1');
    const SUBGRAPH_URLS = names.map((name) => `${name}=${urlOf(name)}/graphql`).join(',');
    const gateway = await site.openHouse(replicated, { ...env, ROLE: 'gateway', SUBGRAPH_URLS });
    try {
      await until('both replicas to be in use', async () => (await site.fresh(part)) === 2);
      await site.pause();
      const ticker = site.draftOf();
      const { token } = await site.raise(ticker, {}, gateway.url);
      const byToken = await site.read(ticker, { 'x-read-after': token ?? '' }, gateway.url);
      const byOwner = await site.read(ticker, site.operator.headers, gateway.url);
      const anyone = await site.read(ticker, {}, gateway.url);
      expect([byToken.value, byOwner.value, anyone.value]).toEqual(['FUNDRAISING', 'FUNDRAISING', 'DRAFT']);
    } finally {
      await site.resume();
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
      const upstream = connect(
        Number(new URL(site.standbys[turn % 2 === 0 ? 0 : 1].at(site.primary.url)).port),
        '127.0.0.1',
      );
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
    const address = new URL(site.primary.url);
    address.port = String((balancer.address() as AddressInfo).port);
    const own = await site.openHouse([address.href]);
    try {
      const reads = await Promise.all(Array.from({ length: 30 }, () => site.read('S1', {}, own.url)));
      expect(new Set(reads.map(({ status, value }) => `${status} ${String(value)}`))).toEqual(new Set(['200 DRAFT']));
      await until('the line in the log', () => own.log().includes('the address leads to more than one server'));
    } finally {
      await own.close();
      for (const socket of sockets) socket.destroy();
      balancer.close();
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
    await site.rename('S1', 'of the primary');
    await site.bothFresh();
    const [, promoted] = site.standbys;
    await promoted.run('SELECT pg_promote()');
    await promoted.run(`UPDATE tokenization.tranches SET name = 'of the promoted one' WHERE ticker = 'S1'`);
    await until('one replica to be left', async () => (await site.fresh()) === 1);
    await until('the line in the log', () => site.house.log().includes('Database replica 2 is no standby'));
    for (let index = 0; index < 20; index += 1) expect((await site.readName('S1')).name).toBe('of the primary');
  });

  test('does not take the standbys of the old primary along, however far they are', async () => {
    const [stayed, promoted] = site.standbys;
    const own = await site.openHouse([stayed.at(site.primary.url)], {
      DATABASE_URL: promoted.at(site.primary.url),
      DATABASE_ADMIN_URL: promoted.at(site.primary.ownerUrl ?? ''),
    });
    try {
      expect((await site.readName('S1', own.url)).name).toBe('of the promoted one');
      expect(own.log()).toContain(
        'Database replica 1 does not show that it follows the new primary (timeline 2; it shows 1)',
      );
    } finally {
      await own.close();
    }
  });
});
