import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { callerOf } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';

let platform: TestPlatform;
let email: string;
let owner: string;
const gone = newId();

beforeAll(async () => {
  platform = await openTestPlatform();
  email = `${crypto.randomUUID()}@casa.example`;
  await callerOf(platform).member(email);
  const { manager } = platform.infrastructure.context;
  owner = (await manager.one<{ id: string }>('SELECT id FROM accounts.accounts WHERE email = $1', [email])).id;
  await manager.execute(
    `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, failing, created_at)
     SELECT gen_random_uuid(), owner, 'https://receiver.example/hook', '{payment.completed}', '', 'active', false, now()
     FROM unnest($1::text[]) AS owner`,
    [[owner, gone]],
  );
});
afterAll(() => platform.close());

/** Returns what an operator with some roles sees of the accounts of webhooks, by their ids. */
async function ownersFor(roles: readonly string[]): Promise<unknown> {
  const { headers } = await newOperator(platform.infrastructure.context, roles);
  const response = await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ managedWebhooks { nodes { ownerId owner { id email } } } }' }),
  });
  const { data, errors } = (await response.json()) as {
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
