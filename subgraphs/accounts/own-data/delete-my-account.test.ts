import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context, Principal } from '../../../shared/kernel/context.js';
import { openAccounts, password, type AccountsKit } from '../../../tests/accounts/kit.js';

let kit: AccountsKit;
beforeAll(async () => {
  kit = await openAccounts();
});
afterAll(() => kit.close());

const deleteAccount = (principal: Principal, parts: Pick<Partial<Context>, 'idempotency'> = {}) => {
  const text = 'mutation ($password: String!) { deleteMyAccount(password: $password) }';
  return kit.run(text, { password }, { principal, ...parts });
};

test('an account that is deleted already, by a session that another instance still remembers, is answered 401', async () => {
  const { principal } = await kit.member('twice@casa.example');
  expect((await deleteAccount(principal)).data).toEqual({ deleteMyAccount: true });
  expect((await deleteAccount(principal)).error).toMatchObject({ code: 'UNAUTHORIZED', statusCode: 401 });
});

test('an account that is deleted with an idempotency key leaves nothing under that key', async () => {
  const { principal } = await kit.member('keyed@casa.example');
  const owner = `SESSION:${principal.ownerId}`;
  const digest = Buffer.from('body');
  const idempotency = { key: 'delete', owner, operation: 'POST /graphql', digest, replayed: false };
  expect((await deleteAccount(principal, { idempotency })).data).toEqual({ deleteMyAccount: true });
  const { manager } = kit.database.dataSource;
  expect(await manager.query('SELECT FROM shared.idempotent_answers WHERE owner = $1', [owner])).toEqual([]);
  expect((await deleteAccount(principal, { idempotency })).error).toMatchObject({ statusCode: 401 });
});
