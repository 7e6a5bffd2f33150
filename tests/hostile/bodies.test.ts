import { createPublicKey, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cpfCheckDigits } from '../../shared/kernel/tax-id.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { addOpenEstate, permit } from '../credit-assignment/estates/kit.js';
import { newSigner, pemOf, sendSigned, type SignedResponse, type Signer } from '../credit-assignment/signing-kit.js';
import { testContext } from '../kit/context.js';
import { until } from '../kit/until.js';
import { callQuietly, expectUnharmed, full, openTarget, type QuietCaller } from './kit.js';

const mebibyte = 1_048_576;
/** The longest that one slice may stop the event loop here, where other programs take the processors too; it is 50 ms where none do. */
const maxStallSeconds = 3;
/** By how much a batch may stop the loop longer than the neighbours' load does while nobody asks for anything. */
const maxBatchStallSeconds = 0.25;

const target = await openTarget();
afterAll(() => target.close());

/** @param estate that it may assign to */
async function newClient(estate?: string): Promise<Signer> {
  const signer = newSigner();
  const context = testContext({ manager: target.database.dataSource.manager });
  const publicKey = pemOf(createPublicKey(signer.key));
  const { id } = await addOriginator(context, { name: 'Banco', publicKey, rateLimit: null, accountId: null });
  if (estate !== undefined) await permit(context.manager, id, estate);
  return { ...signer, clientId: id };
}

/** The share of other callers that may be told to come back, where other programs take the processors too; none is where they do not. */
const mostShed = 0.03;

/** Callers beside the attack were served, and the program is the same and small. */
async function expectCalm(caller: QuietCaller): Promise<void> {
  const { statuses, requests } = await caller.stop();
  const { 200: served = 0, 503: shed = 0 } = statuses;
  expect({ statuses, others: requests - served - shed }).toEqual({ statuses, others: 0 });
  expect(shed).toBeLessThanOrEqual(Math.ceil(requests * mostShed));
  await expectUnharmed(target);
}

const post = async (path: string, body: string): Promise<Response> =>
  fetch(target.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

const nested = (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
const batches = '/tidc/v1/credit-batches';
const estate = '00000000-0000-4000-8000-000000000000';

const acceptable = (contracts: number) =>
  Array.from({ length: contracts }, (_, index) => {
    const base = String(100_000_000 + index);
    const debtorDocument = `${base}${cpfCheckDigits(base)}`;
    return {
      externalId: `CCB-${index}`,
      debtorDocument,
      faceValue: 100.5,
      dueDate: '2060-01-31',
      note: 'x'.repeat(90),
    };
  });

const flat = (contracts: number) =>
  JSON.stringify({
    patrimonyId: estate,
    contracts: Array.from({ length: contracts }, (_, index) => ({
      externalId: `CCB-${index}`,
      debtorDocument: '52998224725',
      faceValue: 100.5,
      dueDate: '2030-01-31',
      note: 'x'.repeat(90),
    })),
  });

describe('bodies of strangers', () => {
  test('that are nested half a million deep are refused before they are parsed, and nobody waits for them', async () => {
    const caller = callQuietly(target);
    const body = nested(1_000_000);
    const statuses = new Set<number>();
    for (let round = 0; round < (full ? 30 : 6); round++) {
      const answers = await Promise.all(
        ['/graphql', '/v1/emissoes/auth/login', '/v1/emissoes/auth/register'].map((path) => post(path, body)),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].filter((status) => ![400, 413, 429].includes(status))).toEqual([]);
    await expectCalm(caller);
  });

  test('cost more the longer they are', async () => {
    const remaining = async (path: string, body: string) => {
      const { headers, status } = await post(path, body);
      return [status, Number(headers.get('x-ratelimit-limit')) - Number(headers.get('x-ratelimit-remaining'))];
    };
    const [, before = 0] = await remaining('/graphql', '{"query":"{ __typename }"}');
    const [status, after = 0] = await remaining('/graphql', `{"query":"${' '.repeat(90 * 1_024)}{"}`);
    expect(status).toBe(400);
    expect(after - before).toBeGreaterThanOrEqual(86);
    expect((await post('/graphql', `{"query":"${' '.repeat(103_000)}{ __typename }"}`)).status).toBe(413);
  });
});

/** Begins a POST of a mebibyte and leaves its last byte out. */
function unfinished(): { readonly socket: Socket; readonly status: () => number } {
  const socket = connect(target.port, '127.0.0.1');
  let answered = '';
  socket
    .on('error', () => undefined)
    .setEncoding('latin1')
    .on('data', (text: string) => (answered += text));
  const head = `POST /v1/emissoes/auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head);
  for (let chunk = 0; chunk < 15; chunk++) socket.write(`10000\r\n${' '.repeat(65_536)}\r\n`);
  return { socket, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answered)?.[1] ?? 0) };
}

test('bodies that never end hold no more than their network may, keep nobody out, and give all back', async () => {
  target.forgetPeak();
  const caller = callQuietly(target);
  const begun = Array.from({ length: full ? 600 : 150 }, unfinished);
  await until('a refusal', () => begun.some(({ status }) => status() === 429 || status() === 503));
  await sleep(full ? 20_000 : 3_000);
  const statuses = new Set(begun.map(({ status }) => status()));
  expect([...statuses].filter((status) => ![0, 408, 429, 503].includes(status))).toEqual([]);
  await expectCalm(caller);
  for (const { socket } of begun) socket.destroy();
  await until('a long body to be taken again', async () => {
    const { status } = await post('/graphql', `{"query":"${' '.repeat(60_000)}{ __typename }"}`);
    return status === 200;
  });
});

test('a body that finds no room is refused while it is sent, and its sender gets the response and keeps the connection', async () => {
  const held = Array.from({ length: 40 }, unfinished);
  await until('a refusal', () => held.some(({ status }) => status() === 429));
  const bytes = 1_000_000;
  const socket = connect(target.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  const statuses = () => [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const head = `POST /v1/emissoes/auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  socket.write(head + ' '.repeat(bytes / 2));
  await until('the refusal', () => statuses().length === 1);
  expect(heard).toMatch(/^retry-after: \d+/im);
  socket.write(`${' '.repeat(bytes / 2)}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await until('the response to the next request', () => statuses().length === 2);
  expect(statuses()).toEqual(['429', '200']);
  for (const one of [socket, ...held.map((of) => of.socket)]) one.destroy();
});

describe('large bodies of a client', () => {
  test('a batch of 2 MiB is accepted of each client in turn, and nothing of it stops the event loop', async () => {
    const patrimonyId = randomUUID();
    await addOpenEstate(target.database.dataSource.manager, patrimonyId, 'ABERTO');
    const clients = [await newClient(patrimonyId), await newClient(patrimonyId), await newClient(patrimonyId)];
    const body = Buffer.from(JSON.stringify({ patrimonyId, contracts: acceptable(10_500) }));
    expect(body.length).toBeGreaterThan(1.9 * mebibyte);
    target.forgetPeak();
    const stalls: number[] = [];
    for (const client of clients) {
      await target.metric('nodejs_eventloop_lag_max_seconds');
      await sleep(2_000);
      const idle = await target.metric('nodejs_eventloop_lag_max_seconds');
      const { status } = await sendSigned(target.url, client, batches, { method: 'POST', body });
      expect(status).toBe(201);
      stalls.push((await target.metric('nodejs_eventloop_lag_max_seconds')) - idle);
    }
    // What the program does stops every one of them; what its neighbours do, hardly all three.
    expect(Math.min(...stalls)).toBeLessThan(maxBatchStallSeconds);
    await expectUnharmed(target);
  });

  /** A body that is refused on its way ends its connection: a client that goes on writing may not read the response. */
  const cutOff = (error: unknown): SignedResponse => {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EPIPE' && code !== 'ECONNRESET') throw error;
    return { status: 0, headers: {}, body: {} };
  };
  const statusesOf = (answers: readonly SignedResponse[]) => answers.map(({ status }) => status);
  const expectBounded = (answers: readonly SignedResponse[], others: readonly number[]) => {
    const busy = answers.filter(({ status }) => status === 503);
    for (const { headers } of busy) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const strange = statusesOf(answers).filter((status) => ![...others, 0, 429, 503].includes(status));
    expect(strange).toEqual([]);
  };

  test.each([
    ['fifty of 2 MiB, nested', 50, () => `{"patrimonyId":"${estate}","contracts":${nested(2_000_000)}}`, [400]],
    ['eighty of 10,500 contracts', full ? 80 : 30, () => flat(10_500), [403, 404, 422]],
    ['eight of a million values', full ? 8 : 4, () => `{"contracts":[${'{},'.repeat(490_000)}{}]}`, [400]],
    ['twenty with more values than are taken', 20, () => `[${'1,'.repeat(1_000_000)}1]`, [400]],
  ])(
    '%s at once: few are worked on, the rest get 503, and the process stays small',
    async (_what, count, make, own) => {
      const clients = await Promise.all([newClient(), newClient()]);
      const body = Buffer.from(make());
      expect(body.length).toBeLessThan(2 * mebibyte);
      target.forgetPeak();
      await target.metric('nodejs_eventloop_lag_max_seconds');
      const caller = callQuietly(target);
      const answers = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const client = clients[index % clients.length];
          if (client === undefined) throw new Error('There is a client');
          return sendSigned(target.url, client, `${batches}?n=${index}`, { method: 'POST', body }).catch(cutOff);
        }),
      );
      expectBounded(answers, own);
      expect(statusesOf(answers).some((status) => own.includes(status))).toBe(true);
      expect(await target.metric('nodejs_eventloop_lag_max_seconds')).toBeLessThan(maxStallSeconds);
      await expectCalm(caller);
    },
  );
});
