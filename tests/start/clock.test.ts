import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/outbox/outbox.js';
import { testMasterKey } from '../kit/context.js';
import { openWebhooks, paid, type WebhooksKit } from '../webhooks/kit.js';
import { openReceiver, type Receiver } from '../webhooks/receiver.js';
import { build, killGroup, startProgram, type Program } from './program.js';

const events = 120;
/** Requests that one program has under way to one receiver. */
const atOnce = 25;
/** Further apart than a lease lasts. */
const skewsMs = [60_000, -60_000];
const skewedDate = fileURLToPath(new URL('clock-skew.mjs', import.meta.url));

let kit: WebhooksKit;
let receiver: Receiver;
let programs: Program[] = [];

beforeAll(async () => {
  await build();
  kit = await openWebhooks();
  // An answer takes its time: long enough for the other program to look for what is due in between.
  receiver = await openReceiver((response) => {
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
});
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
  while ((await delivered()) !== events) await sleep(250);
  expect(behind?.child.exitCode).toBeNull();
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(events);
  expect(receiver.received).toHaveLength(events);
  for (const { headers } of receiver.received) {
    const offMs = Math.abs(Number(headers['x-webhook-timestamp']) * 1000 - Date.now());
    expect(offMs).toBeLessThan(50_000);
  }
});
