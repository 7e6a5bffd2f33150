import { afterAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { counted, openAccounts } from '../../../tests/accounts/kit.js';

const kit = await openAccounts();
const { principal } = await kit.member('ana@casa.example');

afterAll(() => kit.close());

const follow = (ticker: string, caller = principal) =>
  kit.run(
    'mutation ($ticker: String!) { followOperation(ticker: $ticker) { ticker followedByMe } }',
    { ticker },
    { principal: caller },
  );
const unfollow = (ticker: string, caller = principal) =>
  kit.run('mutation ($ticker: String!) { unfollowOperation(ticker: $ticker) }', { ticker }, { principal: caller });
const followed = async (caller = principal) =>
  (
    (await kit.run('{ followedOperations { ticker } }', {}, { principal: caller })).data?.['followedOperations'] as {
      ticker: string;
    }[]
  ).map(({ ticker }) => ticker);
const byMe = async (tickers: string[], caller: Principal) => {
  const { data } = await kit.run(
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Operation { ticker followedByMe } } }',
    { representations: tickers.map((ticker) => ({ __typename: 'Operation', ticker })) },
    { principal: caller },
  );
  return data?.['_entities'] as { followedByMe: boolean }[] | undefined;
};

describe('the watchlist', () => {
  test('takes an operation up once, in any case, and lists the latest first', async () => {
    expect((await follow('CRI-VERDE-01')).data).toEqual({
      followOperation: { ticker: 'CRI-VERDE-01', followedByMe: true },
    });
    kit.clock.advance(1000);
    await follow('deb-azul-02');
    expect((await follow(' cri-verde-01 ')).error).toBeUndefined();
    expect(await followed()).toEqual(['DEB-AZUL-02', 'CRI-VERDE-01']);
  });

  test('lets an operation go, again without an error', async () => {
    expect((await unfollow('Deb-Azul-02')).data).toEqual({ unfollowOperation: true });
    expect((await unfollow('DEB-AZUL-02')).data).toEqual({ unfollowOperation: true });
    expect((await unfollow('no ticker at all')).data).toEqual({ unfollowOperation: true });
    expect(await followed()).toEqual(['CRI-VERDE-01']);
  });

  test('belongs to one account', async () => {
    const other = await kit.member('other@casa.example');
    expect(await followed(other.principal)).toEqual([]);
    await unfollow('CRI-VERDE-01', other.principal);
    expect(await followed()).toEqual(['CRI-VERDE-01']);
  });

  test.each(['', ' ', 'a b', 'x'.repeat(41), 'ação', 'a\u0000', '-X'])(
    'refuses %j, which cannot be a ticker, with 400',
    async (ticker) => {
      expect((await follow(ticker)).error).toMatchObject({ statusCode: 400, details: [{ path: 'ticker' }] });
    },
  );

  test('holds 100 operations, also when more come at the same moment', async () => {
    const { principal: caller } = await kit.member('full@casa.example');
    for (let index = 0; index < 95; index += 1) await follow(`T-${index}`, caller);
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => follow(`RACE-${index}`, caller)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(5);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(7);
    expect(await followed(caller)).toHaveLength(100);
    expect((await follow('T-3', caller)).error).toBeUndefined();
  });
});

describe('Operation.followedByMe', () => {
  test('returns it for the account of a session and of an API key, and false for the house itself', async () => {
    const key: Principal = { ...principal, kind: 'API_KEY' };
    const platform: Principal = { kind: 'OPERATOR', id: 'o', ownerId: 'o', scopes: ['read'] };
    for (const [caller, expected] of [
      [principal, true],
      [key, true],
      [platform, false],
    ] as const) {
      expect(await byMe(['cri-verde-01', 'OTHER-1'], caller)).toEqual([
        { ticker: 'cri-verde-01', followedByMe: expected },
        { ticker: 'OTHER-1', followedByMe: false },
      ]);
    }
  });

  test('asks the database once for a whole list of operations', async () => {
    const { target: manager, calls: queries } = counted(kit.context.manager, /^(findBy|rows)$/);
    const representations = Array.from({ length: 300 }, (_, index) => ({
      __typename: 'Operation',
      ticker: `T-${index}`,
    }));
    const { data } = await kit.run(
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Operation { followedByMe } } }',
      { representations },
      { principal, manager },
    );
    expect(data?.['_entities']).toHaveLength(300);
    expect(queries()).toBe(1);
  });

  test('is not reached without a credential', async () => {
    const nobody: Principal = { kind: 'ANONYMOUS', id: 'ip', ownerId: 'ip', scopes: [] };
    const { error } = await kit.run(
      '{ _entities(representations: [{ __typename: "Operation", ticker: "X" }]) { ... on Operation { followedByMe } } }',
      {},
      { principal: nobody },
    );
    expect(error?.statusCode).toBe(401);
  });
});
