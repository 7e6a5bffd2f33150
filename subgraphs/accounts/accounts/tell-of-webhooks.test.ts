import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { Mail } from '../../../shared/work/mail/mail.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { AccountRow } from './account.entity.js';
import { addRegistered } from './account.store.js';
import { tellOfWebhooks } from './tell-of-webhooks.js';

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await openTestDatabase({ entities: [AccountRow] });
  context = testContext({ manager: database.dataSource.manager });
});
afterAll(() => database.close());

test('an event that is not understood keeps no mail after it back', async () => {
  const owner = await addRegistered(context, {
    email: 'ana@casa.example',
    name: 'Ana',
    company: 'Casa',
    passwordHash: '$argon2id$unused',
    confirmedAt: context.clock.now(),
  });
  const ended = { ownerId: owner?.id, data: { url: 'https://casa.example/hook', reason: 'GONE' } };
  await inTransaction(context, (tx) =>
    announceAll(
      tx,
      [{ ownerId: null }, ended].map((payload) => ({ topic: 'webhook.deactivated', key: 'hook', payload })),
    ),
  );
  const mails: Mail[] = [];
  const queueMail = (_: Context, mail: Mail) => Promise.resolve(void mails.push(mail));
  await createRelay(context, { consumers: [tellOfWebhooks(queueMail)] }).drain();
  expect(mails.map(({ to }) => to)).toEqual(['ana@casa.example']);
});
