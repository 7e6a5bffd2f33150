import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { newPair, pemOf, sendSigned } from '../credit-assignment/signing-kit.js';
import { testMasterKey } from '../kit/context.js';
import { until } from '../kit/until.js';
import { mailedLink } from '../apps/panel-kit.js';
import { openWebhooks, paid } from '../webhooks/kit.js';
import { openReceiver } from '../webhooks/receiver.js';
import { build, killGroup, startProgram, type Program } from './program.js';

const events = 120;
/** Requests that one program has under way to one receiver. */
const atOnce = 25;
/** Further apart than a lease lasts. */
const skewsMs = [60_000, -60_000];
const skewedDate = fileURLToPath(new URL('clock-skew.mjs', import.meta.url));

let programs: Program[] = [];

await build();
const kit = await openWebhooks();
// An answer takes its time: long enough for the other program to look for what is due in between.
const receiver = await openReceiver((response) => {
  setTimeout(() => response.end(), 3_500);
});
programs = skewsMs.map((skewMs) =>
  startProgram({
    env: {
      NODE_OPTIONS: `--import ${skewedDate}`,
      CLOCK_SKEW_MS: String(skewMs),
      DATABASE_URL: kit.database.url,
      DATABASE_POOL: '5',
      MASTER_KEY: testMasterKey.toString('base64'),
      WEBHOOK_ALLOW_INSECURE: 'true',
    },
  }),
);
await Promise.all(programs.map(({ ready }) => ready));
afterAll(async () => {
  await Promise.all(programs.map(killGroup));
  await receiver.close();
  await kit.close();
});

test('a program whose clock is a minute off says so when it starts', () => {
  for (const { output } of programs) {
    expect(output()).toMatch(
      /This machine's clock is (59|60|61)\.\d s (ahead of|behind) the database's clock, which the program uses/,
    );
  }
});

test('a session that one of them began holds at the other, and so does a request that is signed by the right time', async () => {
  const [ahead = '', behind = ''] = await Promise.all(programs.map(({ ready }) => ready));
  const json = { 'content-type': 'application/json' };
  const post = (url: string, path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  const email = `${crypto.randomUUID()}@casa.example`;
  const password = 'ponte-velha-1965';
  expect(
    (await post(ahead, '/v1/emissoes/auth/register', { name: 'Ana', email, password, company: 'Casa' })).status,
  ).toBe(200);
  const token = new URL(await mailedLink(ahead, email)).searchParams.get('token');
  expect((await post(behind, '/v1/emissoes/auth/verify-email', { token })).status).toBe(200);
  for (const [one, other] of [
    [ahead, behind],
    [behind, ahead],
  ] as const) {
    const login = await post(one, '/v1/emissoes/auth/login', { email, password });
    const { accessToken } = (await login.json()) as { accessToken: string };
    for (const url of [one, other]) {
      const me = await fetch(`${url}/v1/emissoes/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } });
      expect(me.status).toBe(200);
    }
  }
  const { privateKey, publicKey } = newPair();
  const originator = { name: 'Banco', publicKey: pemOf(publicKey), rateLimit: null, accountId: null };
  const { id: clientId } = await addOriginator(kit.context, originator);
  for (const url of [ahead, behind]) {
    const signed = await sendSigned(url, { clientId, key: privateKey }, '/tidc/v1/credit-batches?limit=1');
    expect(signed.status).toBe(200);
  }
});

test('programs whose clocks are a minute off, either way, send each event once, at the right time, and lose none', async () => {
  const [ahead, behind] = programs;
  const { id } = await kit.subscribe(receiver.url);
  // The one that is behind begins: to the other its leases would seem to have run out long ago.
  ahead?.child.kill('SIGSTOP');
  for (let from = 0; from < events; from += 20) {
    const batch = Array.from({ length: 20 }, (_, index) => paid(from + index));
    await inTransaction(kit.context, (tx) => announceAll(tx, batch));
  }
  await receiver.until(atOnce);
  ahead?.child.kill('SIGCONT');
  const delivered = async () => {
    const [row] = await kit.database.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM webhooks.deliveries WHERE subscription_id = $1 AND status = 'delivered'`,
      [id],
    );
    return row?.count;
  };
  await until('every event to be delivered', async () => (await delivered()) === events, { within: 240_000 });
  expect(behind?.child.exitCode).toBeNull();
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(events);
  expect(receiver.received).toHaveLength(events);
  for (const { headers } of receiver.received) {
    const offMs = Math.abs(Number(headers['x-webhook-timestamp']) * 1000 - Date.now());
    expect(offMs).toBeLessThan(50_000);
  }
});
