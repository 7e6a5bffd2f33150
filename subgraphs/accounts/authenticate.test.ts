import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { counted, openAccounts } from '../../tests/accounts/kit.js';
import { quietLog, testKeyRing } from '../../tests/kit/context.js';
import { until } from '../../tests/kit/until.js';
import { mintKey } from './api-keys/key-form.js';
import { createAuthenticator } from './authenticate.js';
import { openAccountsPool } from './pool.js';

const kit = await openAccounts();
const pool = openAccountsPool(kit.database.url, quietLog);
const watched = counted(pool, /^query$/);
const queries = watched.calls;
/** Another instance of the program, which shares only the database with the first. */
const elsewhere = createAuthenticator({ pool: watched.target, keyRing: testKeyRing, clock: kit.clock, log: quietLog });

afterAll(async () => {
  await elsewhere.close();
  await pool.end();
  await kit.close();
});

async function newKey(email: string) {
  const { principal, id } = await kit.member(email);
  const { data } = await kit.run('mutation { createApiKey(name: "k") { id key } }', {}, { principal });
  return { accountId: id, principal, ...(data?.['createApiKey'] as { id: string; key: string }) };
}

/** Asks repeatedly, as requests under load would, until the result is negative; returns the duration in milliseconds. */
async function untilRefused(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await until('the refusal', async () => (await ask()) === undefined);
  return performance.now() - begun;
}

describe('an API key', () => {
  test('makes the caller: its id, the account as owner, its own limit, its end', async () => {
    const { id, key, accountId } = await newKey('ana@casa.example');
    const caller = {
      kind: 'API_KEY',
      id,
      ownerId: accountId,
      scopes: [],
      expiresAt: new Date('2027-11-20T15:00:00Z'),
    };
    expect(await elsewhere.authenticate({ apiKey: key })).toEqual(caller);
    expect(await elsewhere.authenticate({ bearer: key })).toEqual(caller);
  });

  test('that was mistyped is refused without a look-up', async () => {
    const { key } = await newKey('typo@casa.example');
    const before = queries();
    for (let position = 0; position < key.length; position += 1) {
      const typed = key.slice(0, position) + (key[position] === 'x' ? 'y' : 'x') + key.slice(position + 1);
      expect(await elsewhere.authenticate({ apiKey: typed })).toBeUndefined();
    }
    expect(queries()).toBe(before);
    expect(await elsewhere.authenticate({ apiKey: key })).toBeDefined();
    expect(queries()).toBe(before + 1);
  });

  test('is looked up once for requests that come together, and again when that is 900 ms old', async () => {
    const { key } = await newKey('shared@casa.example');
    const before = queries();
    await Promise.all(Array.from({ length: 100 }, () => elsewhere.authenticate({ apiKey: key })));
    expect(queries()).toBe(before + 1);
    await delay(950);
    await elsewhere.authenticate({ apiKey: key });
    expect(queries()).toBe(before + 2);
  });

  test('of a right form that nobody has, or with the secret of another, is refused', async () => {
    const { key } = await newKey('other@casa.example');
    expect(await elsewhere.authenticate({ apiKey: mintKey('svcpub_').text })).toBeUndefined();
    const prefix = key.slice('svcpub_'.length, key.indexOf('.'));
    const bytes = Buffer.alloc(8);
    let number = 0n;
    for (const digit of prefix) {
      number = number * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit));
    }
    bytes.writeBigUInt64BE(number);
    const guessed = mintKey('svcpub_', (size) => (size === 8 ? bytes : Buffer.alloc(size, 1)));
    expect(guessed.text.slice(0, 18)).toBe(key.slice(0, 18));
    expect(await elsewhere.authenticate({ apiKey: guessed.text })).toBeUndefined();
  });

  test('works until it expires, to the millisecond, and not after', async () => {
    const { key } = await newKey('expiry@casa.example');
    kit.clock.advance(365 * 86_400_000 - 1);
    expect(await elsewhere.authenticate({ apiKey: key })).toBeDefined();
    kit.clock.advance(1);
    expect(await elsewhere.authenticate({ apiKey: key })).toBeUndefined();
  });

  test('goes before a bearer: a bad key is not made up for', async () => {
    const { accessToken } = await kit.member('both@casa.example');
    expect(await elsewhere.authenticate({ apiKey: 'nonsense', bearer: accessToken })).toBeUndefined();
    expect(await elsewhere.authenticate({ apiKey: accessToken })).toBeUndefined();
  });

  test('fails, rather than being refused, while the database is away', async () => {
    const { key } = await newKey('away@casa.example');
    const broken = openAccountsPool('postgres://nobody@127.0.0.1:1/none', quietLog);
    const lost = createAuthenticator({ pool: broken, keyRing: testKeyRing, clock: kit.clock, log: quietLog });
    await expect(lost.authenticate({ apiKey: key })).rejects.toThrow();
    await lost.close();
    await broken.end();
  });
});

describe('a session', () => {
  test('makes the caller: its id, the account as owner, its end', async () => {
    const { accessToken, id } = await kit.member('session@casa.example');
    expect(await elsewhere.authenticate({ bearer: accessToken })).toEqual({
      kind: 'SESSION',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ownerId: id,
      scopes: ['confirmed'],
      expiresAt: new Date(kit.clock.now().getTime() + 12 * 3_600_000),
    });
  });

  test('ended by a reset is refused here at once, and on another instance within 1 second', async () => {
    const { accessToken } = await kit.member('reset@casa.example');
    expect(await elsewhere.authenticate({ bearer: accessToken })).toBeDefined();
    expect(await kit.accounts.authenticator.authenticate({ bearer: accessToken })).toBeDefined();
    await kit.run('mutation { forgotPassword(email: "reset@casa.example") { message } }');
    await delay(950);
    expect(await elsewhere.authenticate({ bearer: accessToken })).toBeDefined();
    const token = await kit.tokenFor('reset@casa.example');
    await kit.run('mutation ($t: String!) { resetPassword(token: $t, password: "new password 1") { message } }', {
      t: token,
    });
    expect(await kit.accounts.authenticator.authenticate({ bearer: accessToken })).toBeUndefined();
    const ms = await untilRefused(() => elsewhere.authenticate({ bearer: accessToken }));
    // One second, with a margin for a busy machine.
    expect(ms).toBeLessThan(3_000);
  });
});

test('nothing brought makes no caller', async () => {
  expect(await elsewhere.authenticate({})).toBeUndefined();
  expect(await elsewhere.authenticate({ apiKey: '' })).toBeUndefined();
  expect(await elsewhere.authenticate({ bearer: '' })).toBeUndefined();
});

describe('the use of a key', () => {
  const usage = async (id: string) =>
    (
      await kit.database.dataSource.query<{ request_count: string; last_used_at: Date | null }[]>(
        'SELECT request_count, last_used_at FROM accounts.api_keys WHERE id = $1',
        [id],
      )
    )[0];

  const useByDay = (id: string) =>
    kit.database.dataSource.query<{ day: string; requests: string; refused: string }[]>(
      'SELECT day::text, requests, refused FROM accounts.key_days WHERE key_id = $1 ORDER BY day',
      [id],
    );

  test('belongs to the day in São Paulo on which it came in, and refusals are counted apart', async () => {
    const { id } = await newKey('days@casa.example');
    const start = kit.clock.now();
    kit.clock.set('2026-11-21T02:59:59Z');
    elsewhere.touch({ kind: 'API_KEY', id });
    elsewhere.noteRefusal({ kind: 'API_KEY', id });
    kit.clock.set('2026-11-21T03:00:00Z');
    elsewhere.touch({ kind: 'API_KEY', id });
    elsewhere.noteRefusal({ kind: 'SESSION', id });
    await elsewhere.flush();
    kit.clock.set(start);
    expect(await useByDay(id)).toEqual([
      { day: '2026-11-20', requests: '1', refused: '1' },
      { day: '2026-11-21', requests: '1', refused: '0' },
    ]);
  });

  test('adds up when two instances write the same keys at the same moment, in any order', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, (_, index) => newKey(`both-${index}@casa.example`)));
    for (let round = 0; round < 20; round += 1) {
      for (const { id } of keys) elsewhere.touch({ kind: 'API_KEY', id });
      for (const { id } of keys.toReversed()) kit.accounts.authenticator.touch({ kind: 'API_KEY', id });
      await Promise.all([elsewhere.flush(), kit.accounts.authenticator.flush()]);
    }
    for (const { id } of keys) expect((await usage(id))?.request_count).toBe('40');
  });
});
