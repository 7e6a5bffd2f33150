import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { fixedClock } from '../../../tests/kit/clock.js';
import { createRouterTokens } from './plugin.js';

const clock = fixedClock('2026-11-20T15:00:00Z');
const now = clock.now().getTime() / 1_000;
const issuer = 'https://entrada.example';
const pair = await generateKeyPair('ES256', { extractable: true });
const other = await generateKeyPair('ES256');
const tokens = createRouterTokens({ keys: { keys: [await exportJWK(pair.publicKey)] }, issuer }, clock);
const known = { sub: 'account-1', caller: { kind: 'API_KEY', id: 'key-1' } };

interface Signing {
  readonly payload?: JWTPayload;
  readonly audience?: string;
  readonly from?: string;
  readonly issuedAt?: number;
  readonly expires?: number;
  readonly key?: Parameters<SignJWT['sign']>[0];
  readonly alg?: string;
}

function sign({
  payload = known,
  audience = 'lastro',
  from = issuer,
  issuedAt = now,
  expires = now + 60,
  ...by
}: Signing) {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: by.alg ?? 'ES256' })
    .setIssuer(from)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expires)
    .sign(by.key ?? pair.privateKey);
}

const verify = (token: string) => tokens.verify('issuances', token, '198.51.100.7');

describe('the token of another router', () => {
  test('names a caller, by the kind, the owner, the id and the scopes of its credential', async () => {
    const caller = { kind: 'DEVELOPER_KEY', id: 'key-2', scopes: ['webhooks:read'] };
    expect(await verify(await sign({ payload: { sub: 'account-1', caller } }))).toEqual({
      ...caller,
      ownerId: 'account-1',
    });
    expect(await verify(await sign({ audience: 'issuances' }))).toMatchObject({ ownerId: 'account-1', scopes: [] });
  });

  test('may name nobody: then the caller is known by its network', async () => {
    expect(await verify(await sign({ payload: {} }))).toEqual({
      kind: 'ANONYMOUS',
      id: '198.51.100.7',
      ownerId: '198.51.100.7',
      scopes: [],
    });
  });

  test.each<[string, Signing]>([
    ['another key', { key: other.privateKey }],
    ['another issuer', { from: 'https://outra.example' }],
    ['another subgraph', { audience: 'accounts' }],
    ['an end that is past', { issuedAt: now - 120, expires: now - 31 }],
    ['a beginning that is to come', { issuedAt: now + 31, expires: now + 90 }],
    ['an age of more than five minutes', { issuedAt: now - 331, expires: now + 60 }],
    ['a life of more than five minutes', { expires: now + 301 }],
    [
      'an operator as its caller',
      { payload: { sub: 'x', caller: { kind: 'OPERATOR', id: 'x', scopes: ['administer'] } } },
    ],
    ['the program as its caller', { payload: { sub: 'system', caller: { kind: 'SYSTEM', id: 'system' } } }],
    ['a caller without an owner', { payload: { caller: known.caller } }],
    ['an owner alone, whose kind nobody says', { payload: { sub: 'x', caller: {} } }],
  ])('is refused with %s', async (_name, signing) => {
    await expect(verify(await sign(signing))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('is refused without a signature, and with one that is made of the public key', async () => {
    const [head, body] = (await sign({})).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const secret = new TextEncoder().encode(await exportSPKI(pair.publicKey));
    for (const token of [
      `${none}.${body ?? ''}.`,
      `${head ?? ''}.${body ?? ''}.`,
      await sign({ alg: 'HS256', key: secret }),
    ])
      await expect(verify(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('is refused when any part of it was changed', async () => {
    const token = await sign({});
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.base64String({ minLength: 4, maxLength: 4 }), async (at, text) => {
        const changed = token.slice(0, at) + text.slice(0, 1) + token.slice(at + 1);
        // The last character of a signature has bits that mean nothing.
        fc.pre(changed !== token && at < token.length - 1);
        await expect(verify(changed)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      }),
    );
  });
});
