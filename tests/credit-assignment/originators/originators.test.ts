import { execFile } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openSigningOriginators } from '../../../subgraphs/credit-assignment/originators/signing-originators.js';
import { createCreditBatch } from '../../../subgraphs/credit-assignment/credit-batches/create-credit-batch.js';
import type { Principal } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { operator, quietLog } from '../../kit/context.js';
import { until } from '../../kit/until.js';
import { permit } from '../estates/kit.js';
import { contracts, openCredit, person } from '../kit.js';
import { newPair, pemOf } from '../signing-kit.js';

const root = new URL('../../../', import.meta.url);

const kit = await openCredit();
const folder = await mkdtemp(join(tmpdir(), 'lastro-originators-'));
afterAll(async () => {
  await kit.close();
  await rm(folder, { recursive: true });
});

const run = (text: string, variables: Record<string, unknown> = {}, by: Principal = operator) =>
  kit.run(text, variables, by);

const addText = `mutation ($name: String!, $publicKey: String!, $rateLimit: Int, $accountId: ID) {
  addOriginator(name: $name, publicKey: $publicKey, rateLimit: $rateLimit, accountId: $accountId) {
    id name rateLimit status accountId keys { id fingerprint bits revokedAt } } }`;
const keyText = `mutation ($id: ID!, $publicKey: String!) {
  addOriginatorKey(originatorId: $id, publicKey: $publicKey) { id bits revokedAt } }`;
const revokeText = 'mutation ($id: ID!) { revokeOriginatorKey(id: $id) }';
const changeText = `mutation ($id: ID!, $name: String, $rateLimit: Int, $status: OriginatorStatus, $accountId: ID) {
  changeOriginator(id: $id, name: $name, rateLimit: $rateLimit, status: $status, accountId: $accountId) {
    name rateLimit status accountId } }`;

interface Added {
  readonly id: string;
  readonly keys: readonly { readonly id: string; readonly fingerprint: string }[];
}

async function add(over: Record<string, unknown> = {}): Promise<Added> {
  const { data, error } = await run(addText, { name: 'Banco', publicKey: pemOf(newPair().publicKey), ...over });
  if (data === null) throw new Error(JSON.stringify(error));
  return data['addOriginator'] as Added;
}

const nowhere = '00000000-0000-7000-8000-000000000000';

describe('onboarding', () => {
  test('gives a client an id and lets it sign by its key', async () => {
    const { data } = await run(addText, { name: ' Banco ', publicKey: pemOf(newPair().publicKey), rateLimit: 5 });
    expect(data).toMatchObject({
      addOriginator: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Banco',
        rateLimit: 5,
        status: 'ACTIVE',
        accountId: null,
        keys: [{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), bits: 2048, revokedAt: null }],
      },
    });
  });

  test('is for the operator alone, and so are the clients', async () => {
    const client: Principal = { kind: 'CLIENT', id: 'key', ownerId: (await add()).id, scopes: [] };
    const developer: Principal = { kind: 'DEVELOPER_KEY', id: 'd', ownerId: 'a', scopes: ['webhooks:read'] };
    for (const by of [client, developer, person('a')]) {
      for (const [text, variables] of [
        [addText, { name: 'x', publicKey: 'x' }],
        [keyText, { id: nowhere, publicKey: 'x' }],
        [revokeText, { id: nowhere }],
        [changeText, { id: nowhere }],
        ['{ originators { id } }', {}],
      ] as const) {
        expect((await run(text, variables, by)).error?.code).toBe('FORBIDDEN');
      }
    }
    expect((await run('{ originators { id } }', {})).error).toBeUndefined();
  });

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'a\nb' }],
    ['name', { name: 'x'.repeat(201) }],
    ['rateLimit', { rateLimit: 0 }],
    ['rateLimit', { rateLimit: 10_000_001 }],
    ['accountId', { accountId: '' }],
  ])('refuses a %s that is none: %j', async (path, over) => {
    const { error } = await run(addText, { name: 'Banco', publicKey: 'x', ...over });
    expect(error).toMatchObject({ code: 'BAD_REQUEST', details: [{ path }] });
  });

  test('leaves no client behind when the key is of another one', async () => {
    const publicKey = pemOf(newPair().publicKey);
    await add({ publicKey });
    const names = async () => (await run('{ originators { name } }')).data?.['originators'];
    const before = await names();
    expect((await run(addText, { name: 'Copy', publicKey })).error?.code).toBe('CONFLICT');
    expect(await names()).toEqual(before);
  });
});

describe('a public key', () => {
  const rsa = newPair();

  test('is none that an example publishes the private half of, in whatever form', async () => {
    const examples = readdirSync(new URL('examples/', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.pem'))
      .map((name) => createPublicKey(readFileSync(new URL(`examples/${name}`, root))));
    expect(examples.length).toBeGreaterThan(0);
    for (const key of examples) {
      for (const type of ['spki', 'pkcs1'] as const) {
        const { error } = await run(addText, {
          name: 'Banco',
          publicKey: key.export({ type, format: 'pem' }).toString(),
        });
        expect(error?.details).toMatchObject([
          { path: 'publicKey', message: expect.stringMatching(/is the published key/) },
        ]);
      }
    }
  });

  const refused = async (publicKey: string) => {
    const { error } = await run(addText, { name: 'Banco', publicKey });
    expect(error).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'publicKey' }] });
    return error?.details?.[0]?.message ?? '';
  };

  test('is taken as SPKI, as PKCS #1, or in a certificate: the same key each time', async () => {
    const spki = pemOf(rsa.publicKey);
    const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const keyFile = join(folder, 'certified.pem');
    await writeFile(keyFile, rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { stdout: certificate } = await promisify(execFile)('openssl', [
      ...['req', '-x509', '-new', '-key', keyFile, '-subj', '/CN=Banco', '-days', '1'],
    ]);
    const { id, keys } = await add({ publicKey: pkcs1 });
    for (const publicKey of [spki, pkcs1, certificate, `\n${spki.replaceAll('\n', '\r\n')}\n`]) {
      expect((await run(keyText, { id, publicKey })).data).toMatchObject({ addOriginatorKey: { id: keys[0]?.id } });
    }
  });

  test.each(['pkcs8', 'pkcs1'] as const)(
    'that is a private one (%s) is refused, and nothing of it is repeated or kept',
    async (type) => {
      const secret = newPair().privateKey.export({ type, format: 'pem' }).toString();
      const message = await refused(secret);
      expect(message).toContain('private key');
      expect(message).not.toContain(secret.split('\n')[1]);
    },
  );

  test.each([
    ['of 1024 bits', () => pemOf(newPair(1024).publicKey), 'has 1024 bits'],
    ['on a curve', () => pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey), 'RSA'],
    ['for RSA-PSS', () => pemOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), 'RSA'],
    [
      'with the exponent 1',
      () =>
        execFileText(
          'n=$(openssl genrsa 2048 2>/dev/null | openssl rsa -noout -modulus 2>/dev/null | cut -d= -f2); ' +
            'printf "asn1=SEQUENCE:k\\n[k]\\nn=INTEGER:0x$n\\ne=INTEGER:1\\n" > "$0" && ' +
            'openssl asn1parse -genconf "$0" -out "$0.der" -noout && openssl rsa -RSAPublicKey_in -inform DER -in "$0.der" -pubout 2>/dev/null',
        ),
      'exponent',
    ],
    ['that is none', () => 'ssh-rsa AAAA', 'PEM'],
    ['that is empty', () => '', 'PEM'],
    ['beside another', () => pemOf(rsa.publicKey) + pemOf(newPair().publicKey), 'one RSA public key'],
    ['that is cut off', () => pemOf(rsa.publicKey).slice(0, 200), 'PEM'],
    ['of any length', () => pemOf(rsa.publicKey) + ' '.repeat(20_000), 'PEM'],
  ])('%s is refused with words that say what to do', async (_name, pem, word) => {
    expect(await refused(await pem())).toContain(word);
  });

  test('of another client is refused, and so is one that was revoked', async () => {
    const publicKey = pemOf(newPair().publicKey);
    const { id, keys } = await add({ publicKey });
    expect((await run(keyText, { id: (await add()).id, publicKey })).error?.code).toBe('CONFLICT');
    await run(revokeText, { id: keys[0]?.id });
    expect((await run(keyText, { id, publicKey })).error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('revoked'),
    });
  });

  test('registered by two at once is of one of them', async () => {
    const publicKey = pemOf(newPair().publicKey);
    const [first, second] = [await add(), await add()];
    const outcomes = await Promise.all([first, second, first, second].map(({ id }) => run(keyText, { id, publicKey })));
    const winners = outcomes.map(({ error }) => error === undefined);
    expect([
      [true, false, true, false],
      [false, true, false, true],
    ]).toContainEqual(winners);
  });

  test('more than ten at a time a client cannot have; a revoked one makes room', async () => {
    const { id, keys } = await add();
    const pems = Array.from({ length: 11 }, () => pemOf(newPair().publicKey));
    const outcomes = await Promise.all(pems.slice(0, 10).map((publicKey) => run(keyText, { id, publicKey })));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(9);
    expect(outcomes.find(({ error }) => error !== undefined)?.error?.code).toBe('CONFLICT');
    await run(revokeText, { id: keys[0]?.id });
    expect((await run(keyText, { id, publicKey: pems[10] })).error).toBeUndefined();
  });
});

async function execFileText(script: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', script, join(folder, 'exponent')])).stdout;
}

describe('a change', () => {
  test('leaves alone what it does not name; null takes limit and account away, but neither name nor status', async () => {
    const { id } = await add({ rateLimit: 5, accountId: 'account-1' });
    const change = async (variables: Record<string, unknown>) => {
      const { data, error } = await run(changeText, { id, ...variables });
      return error?.details ?? data?.['changeOriginator'];
    };
    expect(await change({ name: 'Novo' })).toEqual({
      name: 'Novo',
      rateLimit: 5,
      status: 'ACTIVE',
      accountId: 'account-1',
    });
    expect(await change({ rateLimit: null, accountId: null })).toMatchObject({
      name: 'Novo',
      rateLimit: null,
      accountId: null,
    });
    expect(await change({ name: null, status: null })).toMatchObject([{ path: 'name' }, { path: 'status' }]);
    expect(await change({ status: 'SUSPENDED' })).toMatchObject({ status: 'SUSPENDED' });
  });

  test('does not wait for a batch that the client is sending', async () => {
    const { id } = await add();
    await permit(kit.context.manager, id, kit.patrimonyId);
    const client: Principal = { kind: 'CLIENT', id: nowhere, ownerId: id, scopes: [] };
    await inTransaction({ ...kit.context, principal: client }, async (tx) => {
      const wish = { patrimonyId: kit.patrimonyId, mode: 'ALL_OR_NOTHING', format: 'JSON' } as const;
      await createCreditBatch(tx, { ...wish, contracts: contracts(1) });
      expect((await run(changeText, { id, status: 'SUSPENDED' })).error).toBeUndefined();
    });
  });

  test('of a client or a key that is not there is NOT_FOUND', async () => {
    for (const id of [nowhere, 'x']) {
      expect((await run(changeText, { id, name: 'x' })).error?.code).toBe('NOT_FOUND');
      expect((await run(keyText, { id, publicKey: pemOf(newPair().publicKey) })).error?.code).toBe('NOT_FOUND');
      expect((await run(revokeText, { id })).error?.code).toBe('NOT_FOUND');
    }
  });
});

test('one client is read by its id, and what is no client is null', async () => {
  const { id } = await add({ name: 'Um banco' });
  const one = async (given: string, by: Principal = operator) =>
    run('query ($id: ID!) { originator(id: $id) { name keys { bits } permits { permittedAt } } }', { id: given }, by);
  expect((await one(id)).data).toEqual({ originator: { name: 'Um banco', keys: [{ bits: 2048 }], permits: [] } });
  for (const other of [nowhere, 'x']) expect((await one(other)).data).toEqual({ originator: null });
  expect((await one(id, person('a'))).error?.code).toBe('FORBIDDEN');
});

test('revoking twice changes nothing', async () => {
  const { keys } = await add();
  const [key] = keys;
  const revokedAt = async () => {
    const { data } = await run('{ originators { keys { id revokedAt } } }');
    const all = (data?.['originators'] as { keys: { id: string; revokedAt: string | null }[] }[]).flatMap(
      (one) => one.keys,
    );
    return all.find(({ id }) => id === key?.id)?.revokedAt;
  };
  await run(revokeText, { id: key?.id });
  const first = await revokedAt();
  kit.clock.advance(1000);
  expect((await run(revokeText, { id: key?.id })).data).toEqual({ revokeOriginatorKey: true });
  expect(await revokedAt()).toBe(first);
});

test('the keys of all clients are read at once', async () => {
  await add();
  await add();
  expect(await kit.countQueries(() => run('{ originators { id keys { id } } }'))).toBe(2);
});

test('who signs with which keys is looked up once by many at a time, and again before long, so that a key that was revoked elsewhere ends', async () => {
  const { id, keys } = await add({ rateLimit: 7 });
  const originators = openSigningOriginators({ databaseUrl: kit.database.url, log: quietLog });
  try {
    const found = await Promise.all(Array.from({ length: 20 }, () => originators.find(id)));
    expect(found[0]).toMatchObject({ id, rateLimit: 7, keys: [{ id: keys[0]?.id }] });
    expect(new Set(found).size).toBe(1);
    await run(revokeText, { id: keys[0]?.id });
    await until('the originator to have no key left', async () => (await originators.find(id)) === undefined);
    expect(await originators.find(nowhere)).toBeUndefined();
  } finally {
    await originators.close();
  }
});
