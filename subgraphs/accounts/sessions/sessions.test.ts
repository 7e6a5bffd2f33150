import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { fixedClock } from '../../../tests/kit/clock.js';
import { createKeyRing } from '../../../shared/security/crypto.js';
import { newId } from '../../../shared/kernel/ids.js';
import { counted } from '../../../tests/accounts/kit.js';
import { quietLog, testKeyRing, testMasterKey } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { until } from '../../../tests/kit/until.js';
import { openAccountsPool } from '../pool.js';
import { sealedSigningKey } from './signing-key.store.js';
import { createSessions } from './session.js';
import { announcementMs, createSigningKeys, retirementMs, rotationMs } from './signing-keys.js';

const twelveHours = 12 * 3_600_000;
let clock: ReturnType<typeof fixedClock>;

const database = await openTestDatabase();
const pool = openAccountsPool(database.url, quietLog);

beforeEach(async () => {
  clock = fixedClock('2026-11-20T15:00:00Z');
  await pool.query('DELETE FROM accounts.signing_keys');
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

/** One instance of the program: its own list of keys, its own memory. */
function instance(keyRing = testKeyRing) {
  const keys = createSigningKeys({ pool, keyRing, clock });
  const { issue, verify } = createSessions(keys, clock);
  const issueNow = ({ id: accountId }: { readonly id: string }) =>
    issue({ id: newId(), accountId, expiresAt: new Date(clock.now().getTime() + twelveHours) });
  return { keys, verify, issue: issueNow };
}

const account = { id: newId() };
const kids = async () =>
  (await pool.query<{ kid: string }>('SELECT kid FROM accounts.signing_keys ORDER BY signs_from')).rows.map(
    ({ kid }) => kid,
  );
const partsOf = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);

describe('a session token', () => {
  test('is good on every instance for 12 hours and not longer', async () => {
    const [one, other] = [instance(), instance()];
    const token = await one.issue(account);
    clock.advance(twelveHours - 1);
    for (const { verify } of [one, other]) {
      expect(await verify(token)).toMatchObject({ accountId: account.id });
    }
    clock.advance(1);
    for (const { verify } of [one, other, instance()]) expect(await verify(token)).toBeUndefined();
  });

  test('is refused when anything in it was altered', async () => {
    const { issue, verify } = instance();
    const token = await issue(account);
    for (let position = 0; position < token.length; position += 7) {
      const altered = token.slice(0, position) + (token[position] === 'A' ? 'B' : 'A') + token.slice(position + 1);
      expect(await verify(altered)).toBeUndefined();
    }
  });

  test.each(['', 'x', 'a.b.c', '.', '..', '....', 'é'.repeat(50), 'x'.repeat(100_000), 'null', '{}', 'svcpub_x.y'])(
    'is not met by %#: a text that is none',
    async (text) => {
      expect(await instance().verify(text)).toBeUndefined();
    },
  );

  test('is refused with another algorithm, issuer, audience or type, or without an end', async () => {
    const { keys, verify } = instance();
    const { kid, privateKey } = await keys.current();
    const make = (
      change: {
        header?: object;
        issuer?: string;
        audience?: string;
        id?: string;
        end?: boolean;
        issuedAt?: number | undefined;
        seconds?: number;
      } = {},
    ) => {
      const now = clock.now().getTime() / 1000;
      const token = new SignJWT({
        ...('issuedAt' in change && change.issuedAt === undefined ? {} : { iat: change.issuedAt ?? now }),
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid, ...change.header })
        .setIssuer(change.issuer ?? 'lastro')
        .setAudience(change.audience ?? 'lastro/session')
        .setSubject(account.id)
        .setJti(change.id ?? newId());
      const { end = true, seconds = 60 } = change;
      return (end ? token.setExpirationTime(now + seconds) : token).sign(privateKey);
    };
    expect(await verify(await make())).toBeDefined();
    const wrong = [
      make({ issuer: 'other' }),
      make({ audience: 'lastro/principal' }),
      make({ header: { typ: 'at+jwt' } }),
      make({ header: { kid: undefined } }),
      make({ header: { kid: 'unknown' } }),
      make({ id: 'one' }),
      make({ id: '' }),
      make({ end: false }),
      make({ seconds: 12 * 3600 + 1 }),
      make({ issuedAt: undefined }),
      make({ issuedAt: clock.now().getTime() / 1000 + 3600, seconds: 13 * 3600 }),
    ];
    expect(await verify(await make({ seconds: 12 * 3600 }))).toBeDefined();
    for (const token of await Promise.all(wrong)) expect(await verify(token)).toBeUndefined();
    const [header, claims] = partsOf(await make());
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await verify(`${encode({ ...header, alg: 'none' })}.${encode(claims)}.`)).toBeUndefined();
    const publicJwk = (await pool.query<{ public_jwk: { x: string } }>('SELECT public_jwk FROM accounts.signing_keys'))
      .rows[0];
    const confused = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid });
    expect(await verify(await confused.sign(Buffer.from(publicJwk?.public_jwk.x ?? '', 'base64url')))).toBeUndefined();
  });

  test('signed by a key of someone else is refused, though it names a key of ours', async () => {
    const { keys, verify } = instance();
    const { kid } = await keys.current();
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const forged = await new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
      .setIssuer('lastro')
      .setAudience('lastro/session')
      .setSubject(account.id)
      .setJti(newId())
      .setIssuedAt(clock.now())
      .setExpirationTime('1h')
      .sign(privateKey);
    expect(await verify(forged)).toBeUndefined();
  });
});

describe('the signing key', () => {
  test('is made once, however many instances start at the same moment', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => instance().issue(account)));
    expect(new Set(tokens.map((token) => partsOf(token)[0]?.['kid'])).size).toBe(1);
    expect(await kids()).toHaveLength(1);
  });

  test('rotates after 30 days, once, without logging anyone out', async () => {
    const [one, other] = [instance(), instance()];
    await one.issue(account);
    clock.advance(rotationMs - 1);
    await one.keys.rotate();
    expect(await kids()).toHaveLength(1);

    const before = await one.issue(account);
    clock.advance(1);
    await Promise.all([one.keys.rotate(), other.keys.rotate(), instance().keys.rotate()]);
    expect(await kids()).toHaveLength(2);

    // Published, but not used yet: an instance that has not read it receives no token signed with it.
    expect(partsOf(await instance().issue(account))[0]?.['kid']).toBe((await kids())[0]);
    clock.advance(announcementMs);
    // The five minutes pass only for the token; an instance may read the list again after one second.
    await delay(1_050);
    const after = await instance().issue(account);
    expect(partsOf(after)[0]?.['kid']).toBe((await kids())[1]);
    for (const { verify } of [one, other, instance()]) {
      expect(await verify(before)).toBeDefined();
      expect(await verify(after)).toBeDefined();
    }
  });

  test('is removed when the last token that it signed has ended, not before', async () => {
    const one = instance();
    await one.issue(account);
    clock.advance(rotationMs);
    await one.keys.rotate();
    clock.advance(announcementMs - 1);
    const last = await instance().issue(account);
    clock.advance(1 + retirementMs - 1);
    await one.keys.rotate();
    expect(await kids()).toHaveLength(2);
    expect(await instance().verify(last)).toBeUndefined();
    clock.advance(1);
    await one.keys.rotate();
    expect(await kids()).toHaveLength(1);
  });

  test('that is unknown to an instance is read, at most once a second', async () => {
    const one = instance();
    await one.issue(account);
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    await pool.query('INSERT INTO accounts.signing_keys VALUES ($1, $2, $3, $4, $4)', [
      'made-elsewhere',
      await exportJWK(publicKey),
      testKeyRing.seal(sealedSigningKey, JSON.stringify(await exportJWK(privateKey))),
      clock.now(),
    ]);
    const { target, calls: reads } = counted(pool, /^query$/);
    const keys = createSigningKeys({ pool: target, keyRing: testKeyRing, clock });
    await keys.publicKey('made-elsewhere');
    expect(reads()).toBe(1);
    for (let round = 0; round < 50; round += 1) await keys.publicKey(`unknown-${round}`);
    expect(reads()).toBe(1);
    await delay(1_050);
    await Promise.all(Array.from({ length: 50 }, (_, index) => keys.publicKey(`unknown-${index}`)));
    expect(reads()).toBe(2);
  });

  test('says why it could not be rotated when the connection broke meanwhile, and rotates on another', async () => {
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE accounts.signing_keys');
    const rotation = instance().keys.rotate();
    const why = expect(rotation).rejects.toMatchObject({ code: '57P01' });
    await until('the connection that is to break', async () => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'LOCK TABLE%'`,
      );
      return rowCount;
    });
    await why;
    // The broken connection does not return to the pool.
    expect(pool.totalCount - pool.idleCount).toBe(1);
    for (let round = 0; round < pool.totalCount + 1; round += 1) await pool.query('SELECT 1');
    await other.query('ROLLBACK');
    other.release();
    await instance().keys.rotate();
    expect(await kids()).toHaveLength(1);
  });

  test('is kept sealed, and under another master key a new one takes over and the sessions of before have ended', async () => {
    const token = await instance().issue(account);
    const { rows } = await pool.query<{ private_jwk: Buffer }>('SELECT private_jwk FROM accounts.signing_keys');
    expect(rows[0]?.private_jwk.toString('utf8')).not.toContain('"d"');
    const other = instance(createKeyRing(Buffer.alloc(32, 8)));
    const fresh = await other.issue(account);
    expect(partsOf(fresh)[0]?.['kid']).not.toBe(partsOf(token)[0]?.['kid']);
    expect(await other.verify(fresh)).toBeDefined();
    expect(await other.verify(token)).toBeUndefined();
    const both = instance(createKeyRing(Buffer.alloc(32, 8), testMasterKey));
    expect(await both.verify(token)).toBeDefined();
    expect(await kids()).toHaveLength(2);
    await instance(createKeyRing(Buffer.alloc(32, 8))).issue(account);
    expect(await kids()).toHaveLength(2);
  });
});
