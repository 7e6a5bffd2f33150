import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import type { Principal } from '../../shared/kernel/context.js';
import { operator } from '../kit/context.js';
import { openAccounts, type AccountsKit } from './kit.js';

let kit: AccountsKit;
let id: string;
let prefixes: string[];

const text = `query ($find: String!) { managedAccounts(find: $find) { id email confirmedAt disabledAt disabledReason
  keys { prefix name rateLimit followsConfiguration revokedAt } } }`;
const find = (wanted: string, principal: Principal = operator) => kit.run(text, { find: wanted }, { principal });

beforeAll(async () => {
  kit = await openAccounts();
  const member = await kit.member('ana@casa.example');
  ({ id } = member);
  await kit.member('bia@casa.example');
  const created = async (name: string) => {
    const { data } = await kit.run(
      'mutation ($name: String!) { createApiKey(name: $name) { id prefix } }',
      { name },
      { principal: member.principal },
    );
    return data?.['createApiKey'] as { id: string; prefix: string };
  };
  const [first, second] = [await created('produção'), await created('teste')];
  prefixes = [first.prefix, second.prefix];
  await kit.run('mutation ($id: ID!) { revokeApiKey(id: $id) }', { id: second.id }, { principal: member.principal });
  await kit.run(
    'mutation ($prefix: String!) { limitKey(prefix: $prefix, rateLimit: 7) { rateLimit } }',
    { prefix: first.prefix },
    { principal: operator },
  );
});
afterAll(() => kit.close());

test('an account is found by its e-mail and by a key, with its state, its keys and the limit that each has now', async () => {
  const byEmail = await find(' ANA@casa.example ');
  expect(byEmail.data?.['managedAccounts']).toEqual([
    {
      id,
      email: 'ana@casa.example',
      confirmedAt: expect.any(String),
      disabledAt: null,
      disabledReason: null,
      keys: [
        { prefix: prefixes[0], name: 'produção', rateLimit: 7, followsConfiguration: false, revokedAt: null },
        expect.objectContaining({
          prefix: prefixes[1],
          followsConfiguration: true,
          revokedAt: expect.any(String) as unknown,
        }),
      ],
    },
  ]);
  for (const prefix of prefixes) expect((await find(prefix)).data).toEqual(byEmail.data);
});

test('what nothing has finds nothing', async () => {
  for (const wanted of ['nobody@casa.example', 'svcpub_00000000000', '', '\0'])
    expect((await find(wanted)).data).toEqual({ managedAccounts: [] });
});

test('accounts are found by operators who administer alone: 403', async () => {
  const others: Principal[] = [
    { ...operator, scopes: ['read', 'originate', 'trade', 'publish'] },
    { kind: 'SESSION', id: newId(), ownerId: id, scopes: ['confirmed'] },
  ];
  for (const other of others) expect((await find('ana@casa.example', other)).error?.statusCode).toBe(403);
});
