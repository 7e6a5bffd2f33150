import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseRedisAddress } from './redis-address.js';

const host = fc.constantFrom('redis-1', '10.0.0.7', '[fd00::7]', 'redis.house.example.com');
const node = fc.tuple(host, fc.option(fc.integer({ min: 1, max: 65_535 }))).map(([name, port]) => ({
  text: port === null ? name : `${name}:${port}`,
  host: name.replace(/[[\]]/g, ''),
  port,
}));
const nodes = fc.array(node, { minLength: 1, maxLength: 5 });
const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' });
const scheme = fc.constantFrom('redis', 'rediss');

describe('an address of several servers', () => {
  test('gives each of them, and the user and password whatever characters they have', () => {
    fc.assert(
      fc.property(scheme, nodes, word, word, fc.nat(15), (name, several, username, password, db) => {
        const user = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
        const hosts = several.map(({ text }) => text).join();
        const own = { username: password, password: username };
        const query = new URLSearchParams({ sentinelUsername: password, sentinelPassword: username }).toString();
        const expected = (port: number) => ({
          nodes: several.map((one) => ({ host: one.host, port: one.port ?? port })),
          user: { username, password },
          tls: name === 'rediss',
        });
        expect(parseRedisAddress(`${name}+sentinel://${user}@${hosts}/house/${db}?${query}`)).toEqual({
          kind: 'sentinel',
          primary: 'house',
          sentinelUser: own,
          db,
          ...expected(26_379),
        });
        expect(parseRedisAddress(`${name}+cluster://${user}@${hosts}`)).toEqual({
          kind: 'cluster',
          db: 0,
          ...expected(6_379),
        });
      }),
    );
  });

  test('takes a password alone, for the default user', () => {
    expect(parseRedisAddress('redis+sentinel://:secret@one,two/house')).toMatchObject({
      user: { password: 'secret' },
      sentinelUser: {},
      db: 0,
    });
  });
});

test.each([
  'http://redis:6379',
  'redis',
  '',
  'redis+sentinel://one,two',
  'redis+sentinel://one,two/',
  'redis+sentinel://one,,two/house',
  'redis+sentinel://one:99999/house',
  'redis+sentinel://us%er@one/house',
  'redis+cluster://one,two/house',
  'redis+cluster://',
  'redis+other://one/house',
])('%p is no address', (text) => {
  expect(parseRedisAddress(text)).toBeUndefined();
});

test('the address of one server stays as it is', () => {
  const url = 'rediss://user:password@host:6380/2';
  expect(parseRedisAddress(url)).toEqual({ kind: 'single', url });
});
