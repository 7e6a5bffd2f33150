import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Principal, Context } from '../../shared/kernel/context.js';
import { newId } from '../../shared/kernel/ids.js';
import { counted, openAccounts, type AccountsKit, password } from '../../tests/accounts/kit.js';
import { testKeyRing } from '../../tests/kit/context.js';
import { createDemo } from './demo/demo.js';

const kit = await openAccounts({ demo: true });
afterAll(() => kit.close());

describe('the subgraph', () => {
  const anonymous: Principal = { kind: 'ANONYMOUS', id: 'ip', ownerId: 'ip', scopes: [] };
  const apiKey: Principal = { kind: 'API_KEY', id: newId(), ownerId: newId(), scopes: [] };

  test.each([
    '{ me { id } }',
    '{ apiKeys { id } }',
    '{ followedOperations { ticker } }',
    '{ sessions { id } }',
    'mutation { logout }',
    'mutation { endSession(id: "x") }',
    'mutation { endOtherSessions }',
    'mutation { changePassword(currentPassword: "a", newPassword: "b") }',
    'mutation { createApiKey(name: "k") { id } }',
    'mutation { revokeApiKey(id: "x") }',
    'mutation { followOperation(ticker: "X") { ticker } }',
    'mutation { unfollowOperation(ticker: "X") }',
  ])('asks for a session on %s', async (text) => {
    expect((await kit.run(text, {}, { principal: anonymous })).error).toMatchObject({
      code: 'UNAUTHORIZED',
      statusCode: 401,
    });
    expect((await kit.run(text, {}, { principal: apiKey })).error).toMatchObject({
      code: 'FORBIDDEN',
      statusCode: 403,
    });
  });

  test('answers me with one look-up', async () => {
    const { principal, id } = await kit.member('ana@casa.example');
    const { target: manager, calls: queries } = counted(
      kit.context.manager,
      /^(rows|find|createQueryBuilder|transaction)/,
    );
    const { data } = await kit.run('{ me { id email name company ownerType } }', {}, { principal, manager });
    expect(data).toEqual({
      me: { id, email: 'ana@casa.example', name: 'Ana Souza', company: 'Casa & Filhos', ownerType: 'EMISSOES_USER' },
    });
    expect(queries()).toBe(1);
  });

  test('forgets links a week after they expired', async () => {
    await kit.register('old@casa.example');
    const count = async () =>
      (
        await kit.database.dataSource.query<{ count: string }[]>(
          `SELECT count(*) FROM accounts.one_time_tokens t JOIN accounts.accounts a ON a.id = t.account_id WHERE a.email = 'old@casa.example'`,
        )
      )[0]?.count;
    kit.clock.advance(8 * 86_400_000);
    await kit.forget();
    expect(await count()).toBe('1');
    kit.clock.advance(1);
    await kit.forget();
    expect(await count()).toBe('0');
  });
});

test('a registration that nobody confirmed is forgotten with its last link, and its e-mail is free again; a confirmed account stays', async () => {
  await kit.member('stays@casa.example');
  await kit.register('forgotten@casa.example');
  kit.clock.advance(5 * 86_400_000);
  await kit.run('mutation { resendVerification(email: "forgotten@casa.example") { message } }');
  kit.clock.advance(8 * 86_400_000);
  await kit.forget();
  expect((await kit.login('forgotten@casa.example')).error).toBeUndefined();
  kit.clock.advance(1);
  await kit.forget();
  expect((await kit.login('forgotten@casa.example')).error?.statusCode).toBe(401);
  expect((await kit.login('stays@casa.example')).error).toBeUndefined();
  await kit.member('forgotten@casa.example');
  expect((await kit.login('forgotten@casa.example')).error).toBeUndefined();
});

describe('the demo', () => {
  let kit: AccountsKit;
  beforeAll(async () => {
    kit = await openAccounts({ demo: true });
  });
  afterAll(() => kit.close());

  test('has an account of each kind that can log in and a key that works, the same however often it is made', async () => {
    const credentials = await createDemo(kit.context, testKeyRing);
    if (credentials === undefined) throw new Error('An empty database gets the demo');
    expect(await createDemo(kit.context, testKeyRing)).toEqual(credentials);
    const { account, portalAccount, publicApiKey } = credentials;
    const registered = (await kit.login(account.email, account.password)).data?.['login'] as Record<string, unknown>;
    expect(registered).toMatchObject({ user: { ownerType: 'EMISSOES_USER', company: expect.any(String) } });
    const agent = (await kit.login(portalAccount.email, portalAccount.password)).data?.['login'];
    expect(agent).toMatchObject({ user: { ownerType: 'AGENT_USER', company: null } });
    expect((await kit.login(portalAccount.email, 'wrong password 1')).error?.statusCode).toBe(401);
    const caller = await kit.accounts.authenticator.authenticate({ apiKey: publicApiKey });
    expect(caller).toMatchObject({
      kind: 'API_KEY',
      ownerId: (registered['user'] as { id: string }).id,
    });
    const session = await kit.accounts.authenticator.authenticate({ bearer: String(registered['accessToken']) });
    if (session === undefined) throw new Error('The session does not work');
    const keys = await kit.run('{ apiKeys { name status } }', {}, { principal: session });
    expect(keys.data).toEqual({ apiKeys: [{ name: 'Demonstração', status: 'ACTIVE' }] });
    expect(
      (await kit.run('mutation { createApiKey(name: "k") { id } }', {}, { principal: session })).error,
    ).toBeUndefined();
  });

  test('stays out of a database that has accounts of its own', async () => {
    const used = await openAccounts();
    await used.register('someone@casa.example');
    expect(await createDemo(used.context, testKeyRing)).toBeUndefined();
    await used.close();
  });
});

describe('deleting an account', () => {
  const deleteAccount = (principal: Principal, parts: Pick<Partial<Context>, 'idempotency'> = {}) => {
    const text = 'mutation ($password: String!) { deleteMyAccount(password: $password) }';
    return kit.run(text, { password }, { principal, ...parts });
  };

  test('an account that is deleted already, by a session that another instance still remembers, is answered 401', async () => {
    const { principal } = await kit.member('twice@deleted.example');
    expect((await deleteAccount(principal)).data).toEqual({ deleteMyAccount: true });
    expect((await deleteAccount(principal)).error).toMatchObject({ code: 'UNAUTHORIZED', statusCode: 401 });
  });

  test('an account that is deleted with an idempotency key leaves nothing under that key', async () => {
    const { principal } = await kit.member('keyed@deleted.example');
    const owner = `SESSION:${principal.ownerId}`;
    const digest = Buffer.from('body');
    const idempotency = { key: 'delete', owner, operation: 'POST /graphql', digest, replayed: false };
    expect((await deleteAccount(principal, { idempotency })).data).toEqual({ deleteMyAccount: true });
    const { manager } = kit.database.dataSource;
    expect(await manager.query('SELECT FROM shared.idempotent_answers WHERE owner = $1', [owner])).toEqual([]);
    expect((await deleteAccount(principal, { idempotency })).error).toMatchObject({ statusCode: 401 });
  });
});
