import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { inTransaction } from '../../shared/database/transaction.js';
import { createEventFeed } from '../../shared/events/outbox/event-feed.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { openSocketPlatform, orderNamed } from '../trading/socket-kit.js';

// The step of a restore that keeps numbers of lost events from being used again (docs/operations/backup.md).
const kit = await openSocketPlatform();
const owner = new Client({ connectionString: kit.platform.ownerUrl });
await owner.connect();
afterAll(async () => {
  await owner.end();
  await kit.close();
});

const names = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}-${index + 1}`);

/** Takes the statements of the page, and runs them as the owner. */
async function skipNumbers(): Promise<void> {
  const [, statements] =
    /```sql\n([^`]*stream_heads[^`]*)```/.exec(readFileSync('docs/operations/backup.md', 'utf8')) ?? [];
  if (statements === undefined) throw new Error('The page has no such statements');
  await owner.query(statements);
}

test('after a restore readers of published events resume by an old cursor, and miss nothing that is new', async () => {
  const { context, keyRing } = kit.platform.infrastructure;
  const feed = () => createEventFeed({ keyRing, topics: ['price'], pollMs: 50 });
  const publish = async (keys: readonly string[]) => {
    await inTransaction(context, (tx) =>
      announceAll(
        tx,
        keys.map((key) => ({ topic: 'price', key, payload: {} })),
      ),
    );
    await createRelay(context).drain();
  };
  await publish(names('before', 10));
  const cursor = await feed().cursorOfNow(context);
  const lost = await context.manager.one<{ kept: string }>('SELECT last - 5 AS kept FROM shared.outbox_head');
  await owner.query(`DELETE FROM shared.outbox WHERE feed_position > ${lost.kept}`);
  await owner.query(`UPDATE shared.outbox_head SET last = ${lost.kept}`);
  await skipNumbers();
  await publish(names('after', 8));
  const stream = await feed().read(context, { topics: ['price'] }, cursor);
  const read: string[] = [];
  while (read.length < 8) read.push((await stream.next()).value?.key ?? 'the end');
  await stream.return?.();
  expect(read).toEqual(names('after', 8));
});

test('after a restore a reader of orders who resumes begins with a snapshot', async () => {
  const trader = await kit.trader();
  const wallet = await kit.wallet(trader);
  await kit.append(wallet, ...names('before', 10).map((name) => orderNamed(name)));
  await owner.query(`DELETE FROM trading.stream_events WHERE event_id > 5`);
  await owner.query(`UPDATE trading.stream_heads SET last_event_id = 5 WHERE last_event_id > 5`);
  await skipNumbers();
  await kit.append(wallet, ...names('after', 8).map((name) => orderNamed(name)));
  const client = await kit.connect();
  client.send({ action: 'subscribe', channel: 'orders', token: trader.token, lastEventId: 10 });
  const frames = await client.take(3);
  expect(frames.map(({ type }) => type)).toEqual(['subscribed', 'reset', 'update']);
  expect(frames[2]).toMatchObject({ snapshot: true });
});
