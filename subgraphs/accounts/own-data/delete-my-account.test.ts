import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/context.js';
import { openAccounts, password, type AccountsKit } from '../../../tests/accounts/kit.js';

let kit: AccountsKit;
beforeAll(async () => {
  kit = await openAccounts();
});
afterAll(() => kit.close());

const deleteAccount = (principal: Principal) =>
  kit.run('mutation ($password: String!) { deleteMyAccount(password: $password) }', { password }, { principal });

test('an account that is deleted already, by a session that another instance still remembers, is answered 401', async () => {
  const { principal } = await kit.member('twice@casa.example');
  expect((await deleteAccount(principal)).data).toEqual({ deleteMyAccount: true });
  expect((await deleteAccount(principal)).error).toMatchObject({ code: 'UNAUTHORIZED', statusCode: 401 });
});
