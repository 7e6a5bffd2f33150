import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import fc from 'fast-check';
import { fixedClock } from '../../kit/clock.js';
import { createKeyRing } from '../../../shared/security/crypto.js';
import { newId } from '../../../shared/kernel/ids.js';
import { createAccessTokens } from '../../../subgraphs/trading/access/access-tokens.js';
import { isWellFormed, mint, type TextKind } from '../../../subgraphs/trading/access/credential.js';
import { testMasterKey } from '../../kit/context.js';

const keyRing = createKeyRing(testMasterKey);
const claims = { companyId: newId(), credentialId: newId(), familyId: newId() };

let clock: ReturnType<typeof fixedClock>;
let tokens: ReturnType<typeof createAccessTokens>;

beforeEach(() => {
  clock = fixedClock('2026-11-20T15:00:00.700Z');
  tokens = createAccessTokens(keyRing, clock);
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(clock.now().getTime() / 1000);

/** The key that a master key signs access tokens by, made again by the rule that the documents give. */
function signingKey(ring = keyRing): KeyObject {
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    ring.derive('trading/access-token'),
  ]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

interface Forged {
  readonly header?: object;
  readonly payload?: object;
  readonly key?: KeyObject;
}

function forge({ header = {}, payload = {}, key = signingKey() }: Forged = {}): string {
  const { companyId: sub, credentialId, familyId: sid } = claims;
  const said = { iss: 'lastro', aud: 'lastro/trading', sub, client_id: credentialId, sid, jti: newId() };
  const body = [
    encode({ alg: 'EdDSA', typ: 'at+jwt', kid: keyRing.id, ...header }),
    encode({ ...said, iat: now(), exp: now() + 3600, ...payload }),
  ].join('.');
  return `${body}.${sign(null, Buffer.from(body), key).toString('base64url')}`;
}

describe('an access token', () => {
  test('is verified by whoever has its master key as the present or the previous one, and by nobody else', async () => {
    const token = await tokens.issue(claims);
    const otherKey = Buffer.alloc(32, 8);
    const rotated = createAccessTokens(createKeyRing(otherKey, testMasterKey), clock);
    expect(await rotated.verify(token)).toMatchObject(claims);
    expect(decodeProtectedHeader(await rotated.issue(claims)).kid).not.toBe(keyRing.id);
    expect(await createAccessTokens(createKeyRing(otherKey), clock).verify(token)).toBeUndefined();
  });

  test('that was made by hand with the right key is good, so that the refusals below have the reason they say', async () => {
    expect(await tokens.verify(forge())).toMatchObject(claims);
  });

  const hour = 3600;
  const stranger = generateKeyPairSync('ed25519').privateKey;
  test.each<[string, () => string]>([
    ['without a signature (alg none)', () => forge({ header: { alg: 'none' } }).replace(/[^.]*$/, '')],
    ['of alg none with a signature', () => forge({ header: { alg: 'none' } })],
    ['of another master key', () => forge({ key: signingKey(createKeyRing(Buffer.alloc(32, 8))) })],
    [
      'of a key of its own, sent along',
      () => forge({ key: stranger, header: { jwk: createPublicKey(stranger).export({ format: 'jwk' }) } }),
    ],
    ['with another kid', () => forge({ header: { kid: '00000000' } })],
    ['without a kid', () => forge({ header: { kid: undefined } })],
    ['for sessions', () => forge({ payload: { aud: 'lastro/session' } })],
    ['for nobody', () => forge({ payload: { aud: undefined } })],
    ['of another issuer', () => forge({ payload: { iss: 'elsewhere' } })],
    ['of another type', () => forge({ header: { typ: 'JWT' } })],
    ['that has expired', () => forge({ payload: { iat: now() - hour, exp: now() } })],
    ['that never expires', () => forge({ payload: { exp: undefined } })],
    ['that lives too long', () => forge({ payload: { exp: now() + hour + 1 } })],
    ['from the future', () => forge({ payload: { iat: now() + 62, exp: now() + hour } })],
    ['without a moment', () => forge({ payload: { iat: undefined } })],
    ['of no company', () => forge({ payload: { sub: undefined } })],
    ['whose company is no id', () => forge({ payload: { sub: "' OR true" } })],
    ['of no credential', () => forge({ payload: { client_id: 7 } })],
    ['of no login', () => forge({ payload: { sid: null } })],
    ['with a critical extension', () => forge({ header: { crit: ['b64'], b64: false } })],
    ['that is longer than any of ours', () => forge({ payload: { pad: 'x'.repeat(2048) } })],
  ])('%s is refused', async (_what, make) => {
    expect(await tokens.verify(make())).toBeUndefined();
  });

  test('signed by HMAC with the public key is refused', async () => {
    const publicKey = createPublicKey(signingKey());
    const forms = [
      publicKey.export({ format: 'der', type: 'spki' }),
      publicKey.export({ format: 'pem', type: 'spki' }),
      Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
    ];
    for (const secret of forms) {
      const [header, payload] = forge({ header: { alg: 'HS256' } }).split('.');
      const body = `${header ?? ''}.${payload ?? ''}`;
      const mac = createHmac('sha256', secret).update(body).digest('base64url');
      expect(await tokens.verify(`${body}.${mac}`)).toBeUndefined();
    }
  });
});

describe('the texts of a credential', () => {
  const kinds: TextKind[] = ['apiKey', 'secretKey'];

  test('are well formed as made, each only as what it is, and not with one wrong character', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.nat(), fc.constantFrom('0', 'A', 'Z', 'a', 'z'), (kind, place, to) => {
        const text = mint(kind);
        expect(kinds.filter((other) => isWellFormed(other, text))).toEqual([kind]);
        const at = place % text.length;
        const changed = text.slice(0, at) + to + text.slice(at + 1);
        expect(isWellFormed(kind, changed)).toBe(changed === text);
        expect(isWellFormed(kind, text.slice(0, -1))).toBe(false);
        expect(isWellFormed(kind, `${text}\n`)).toBe(false);
      }),
    );
  });

  test('come from the bytes that are given, so that the demo has the same after a restart', () => {
    const bytes = (size: number) => Buffer.alloc(size, 5);
    expect(mint('secretKey', bytes)).toBe(mint('secretKey', bytes));
    expect(mint('secretKey')).not.toBe(mint('secretKey'));
  });
});
