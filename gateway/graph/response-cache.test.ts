import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Arg, Ctx, Field, FieldResolver, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { anonymous, loaderOf, type Context, type Principal } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { Access } from '../../shared/graphql/access.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { isCachedResponse, CacheResponse } from '../../shared/graphql/response-cache.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { composeSupergraph } from './compose.js';
import { createGraph } from './graph.js';
import { localDataSource } from './data-source.js';

let revision = 0;
let built = 0;
let broken = false;
const readRevision = () => Promise.resolve(String(revision));

@ObjectType({ simpleResolvers: true })
class Price {
  @Field(() => Int)
  value!: number;
}

@ObjectType({ simpleResolvers: true })
class PriceList {
  @Field(() => [Price])
  prices!: Price[];
}

@Resolver()
class Prices {
  @Access('data')
  @CacheResponse(readRevision, 'everyone')
  @Query(() => PriceList, { nullable: true })
  prices(): PriceList {
    built += 1;
    if (broken) throw new ApiError('UNAVAILABLE');
    return { prices: [{ value: revision }] };
  }
}

@ObjectType({ simpleResolvers: true })
class Credit {
  @Field(() => Int)
  number!: number;
}

const loadRevision = (_context: Context, keys: readonly number[]) => Promise.resolve(keys.map(() => revision));

@Resolver(() => Credit)
class Credits {
  @Access('anyone')
  @CacheResponse((_context, { number }) => (number === 13 ? Promise.resolve(undefined) : readRevision()))
  @Query(() => Credit, { nullable: true })
  credit(@Arg('number', () => Int) number: number): Credit {
    built += 1;
    return { number };
  }

  @FieldResolver(() => Int)
  loaded(@Ctx() context: Context): Promise<number> {
    return loaderOf(context, loadRevision).load(1);
  }

  /** A field that shows more to some callers. */
  @FieldResolver(() => String)
  debtor(@Ctx() { principal }: Context): string {
    return principal.kind === 'ANONYMOUS' ? 'A. B.' : 'Ana Barros';
  }
}

const subgraph = buildSubgraph({ name: 'prices', resolvers: [new Prices(), new Credits()] });
const graph = await createGraph({
  supergraphSdl: composeSupergraph([subgraph]),
  sources: { prices: localDataSource(subgraph.schema, testKeyRing) },
});
const known: Principal = { kind: 'API_KEY', id: 'k', ownerId: 'ana', scopes: [] };
const list = graph.prepare('{ prices { prices { value } } }');
const contextOf = (principal: Principal) => testContext({ principal, manager: database.dataSource.manager });
const ask = (principal = known, prepared = list): Promise<GraphResult> => graph.run(prepared, {}, contextOf(principal));

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(() => {
  revision += 1;
  built = 0;
});

describe('an answer that lasts', () => {
  test('is the same object until its stamp changes', async () => {
    const first = await ask();
    expect(first).toEqual({ data: { prices: { prices: [{ value: revision }] } } });
    expect(await ask()).toBe(first);
    expect([built, isCachedResponse(first)]).toEqual([1, true]);
    revision += 1;
    expect(await ask()).toEqual({ data: { prices: { prices: [{ value: revision }] } } });
  });

  test('is made once for all who ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect([built, new Set(answers).size]).toEqual([1, 1]);
  });

  test('is kept from who may not ask', async () => {
    await ask();
    const { data, errors } = await ask(anonymous('192.0.2.1'));
    expect([data, errors]).toMatchObject([undefined, [{ extensions: { code: 'UNAUTHORIZED' } }]]);
  });

  test('is not one that failed', async () => {
    broken = true;
    const failed = await Promise.all([ask(), ask(), ask()]);
    expect(failed.map((answer) => [isCachedResponse(answer), answer.errors?.length])).toEqual([
      [false, 1],
      [false, 1],
      [false, 1],
    ]);
    broken = false;
    expect((await ask()).errors).toBeUndefined();
  });

  test('is not kept for a document of a caller, of which there may be any number', async () => {
    const theirs = graph.prepare('{ all: prices { prices { value } } }', { ofCaller: true });
    for (let turn = 1; turn <= 3; turn += 1) {
      expect(isCachedResponse(await ask(known, theirs))).toBe(false);
      expect(built).toBe(turn);
    }
  });

  test.each([
    '{ prices { prices { value } } __typename }',
    'query ($no: Boolean!) { prices @skip(if: $no) { __typename } }',
  ])('is only of a query that asks for it alone: %s', async (other) => {
    const answer = await graph.run(graph.prepare(other), { no: false }, contextOf(known));
    expect([answer.errors, isCachedResponse(answer)]).toEqual([undefined, false]);
  });
});

describe('a result with arguments and resolvers', () => {
  const credit = graph.prepare('query ($number: Int!) { credit(number: $number) { number debtor } }');
  const stranger = anonymous('192.0.2.1');
  const read = (number: number, principal: Principal = stranger): Promise<GraphResult> =>
    graph.run(credit, { number }, contextOf(principal));

  test('is cached for each argument', async () => {
    const [one, two] = [await read(1), await read(2)];
    expect([one.data, two.data]).toEqual([
      { credit: { number: 1, debtor: 'A. B.' } },
      { credit: { number: 2, debtor: 'A. B.' } },
    ]);
    expect([await read(1), await read(2)]).toEqual([one, two]);
    expect([built, isCachedResponse(one)]).toEqual([2, true]);
    revision += 1;
    await read(1);
    expect(built).toBe(3);
  });

  test('is neither cached for a caller with a credential, nor taken from the cache', async () => {
    await read(1);
    const theirs = await read(1, known);
    expect(theirs.data).toEqual({ credit: { number: 1, debtor: 'Ana Barros' } });
    expect((await read(1)).data).toEqual({ credit: { number: 1, debtor: 'A. B.' } });
    expect([built, isCachedResponse(theirs)]).toEqual([2, false]);
  });

  test('is built without what its request has loaded before the stamp was read', async () => {
    const loaded = graph.prepare('query ($number: Int!) { credit(number: $number) { loaded } }');
    const context = contextOf(stranger);
    await loaderOf(context, loadRevision).load(1);
    revision += 1;
    expect((await graph.run(loaded, { number: 1 }, context)).data).toEqual({ credit: { loaded: revision } });
  });

  test('is not cached where the stamp says so', async () => {
    expect([isCachedResponse(await read(13)), isCachedResponse(await read(13)), built]).toEqual([false, false, 2]);
  });
});

@Resolver()
class Writes {
  @Access('anyone')
  @Query(() => Int)
  reads(): number {
    return 1;
  }

  @Access('anyone')
  @CacheResponse(readRevision)
  @Mutation(() => Int, { nullable: true })
  write(): number {
    return 1;
  }
}

@ObjectType({ simpleResolvers: true })
class Guarded {
  @Field(() => Int)
  plain!: number;
}

@Resolver(() => Guarded)
class WithAccess {
  @Access('anyone')
  @CacheResponse(readRevision, 'everyone')
  @Query(() => [Guarded])
  guarded(): Guarded[] {
    return [];
  }

  @Access('operator', 'read')
  @FieldResolver(() => Int)
  keys(): number {
    return 1;
  }
}

test.each([
  [new Writes(), 'write is not a query and cannot be cached'],
  [new WithAccess(), 'guarded is cached for everyone, but not everyone may read Guarded.keys'],
])('a query whose response cannot be cached is refused at the start: %#', (resolver, message) => {
  expect(() => buildSubgraph({ name: 'x', resolvers: [resolver] })).toThrow(message);
});
