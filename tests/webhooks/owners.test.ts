import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { callerOf } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { openTestPlatform } from '../kit/platform.js';

const gone = newId();

const platform = await openTestPlatform();
const email = `${crypto.randomUUID()}@casa.example`;
const caller = callerOf(platform);
await caller.member(email);
const { manager } = platform.infrastructure.context;
const owner = (await manager.one<{ id: string }>('SELECT id FROM accounts.accounts WHERE email = $1', [email])).id;
await manager.execute(
  `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, failing, created_at)
     SELECT gen_random_uuid(), owner, 'https://receiver.example/hook', '{payment.completed}', '', 'active', false, now()
     FROM unnest($1::text[]) AS owner`,
  [[owner, gone]],
);
afterAll(() => platform.close());

/** Returns what an operator with some roles sees of the accounts of webhooks, by their ids. */
async function ownersFor(roles: readonly string[]): Promise<unknown> {
  const { headers } = await newOperator(platform.infrastructure.context, roles);
  const { body } = await caller.graphql('{ managedWebhooks { nodes { ownerId owner { id email } } } }', {}, headers);
  const { data, errors } = body as {
    readonly data: { readonly managedWebhooks: { readonly nodes: readonly { ownerId: string; owner: unknown }[] } };
    readonly errors?: unknown;
  };
  expect(errors).toBeUndefined();
  return Object.fromEntries(data.managedWebhooks.nodes.map((one) => [one.ownerId, one.owner]));
}

test('an operator who administers accounts sees whose a webhook is, unless the account is gone', async () => {
  expect(await ownersFor(['administer'])).toEqual({
    [owner]: { id: owner, email },
    [gone]: { id: gone, email: null },
  });
});

test('an operator without that role sees the ids alone', async () => {
  expect(await ownersFor(['read', 'publish', 'originate', 'trade'])).toEqual({
    [owner]: { id: owner, email: null },
    [gone]: { id: gone, email: null },
  });
});
