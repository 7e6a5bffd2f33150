import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Arg, Field, FieldResolver, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { anonymous, type Principal } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import { Access } from '../shared/subgraph/access.js';
import { buildSubgraph } from '../shared/subgraph/build.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import { isCachedResponse, CacheResponse } from '../shared/subgraph/response-cache.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { testContext, testKeyRing } from '../tests/kit/context.js';
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
  @CacheResponse(readRevision)
  @Query(() => PriceList, { nullable: true })
  prices(): PriceList {
    built += 1;
    if (broken) throw new ApiError('UNAVAILABLE');
    return { prices: [{ value: revision }] };
  }
}

const subgraph = buildSubgraph({ name: 'prices', resolvers: [new Prices()] });
const graph = createGraph({
  supergraphSdl: composeSupergraph([subgraph]),
  sources: { prices: localDataSource(subgraph.schema, testKeyRing) },
});
const known: Principal = { kind: 'API_KEY', id: 'k', ownerId: 'ana', scopes: [] };
const text = '{ prices { prices { value } } }';
const list = graph.prepare(text);
let database: TestDatabase;
const contextOf = (principal: Principal) => testContext({ principal, manager: database.dataSource.manager });
const ask = (principal = known, prepared = list): Promise<GraphResult> => graph.run(prepared, {}, contextOf(principal));

beforeAll(async () => {
  database = await openTestDatabase();
});
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
    const theirs = graph.prepare('{ all: prices { prices { value } } }', { compile: 'onSecondRun' });
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

@Resolver()
class WithArgument {
  @Access('anyone')
  @CacheResponse(readRevision)
  @Query(() => Int)
  twice(@Arg('of', () => Int) of: number): number {
    return 2 * of;
  }
}

@ObjectType({ simpleResolvers: true })
class Found {
  @Field(() => Int)
  plain!: number;
}

@Resolver(() => Found)
class WithResolver {
  @Access('anyone')
  @CacheResponse(readRevision)
  @Query(() => [Found])
  found(): Found[] {
    return [];
  }

  @FieldResolver(() => Int)
  elsewhere(): number {
    return 1;
  }
}

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

test.each([
  [new Writes(), 'write is not a query and cannot be cached'],
  [new WithArgument(), 'twice is cached and must not take arguments'],
  [new WithResolver(), 'found is cached, but Found.elsewhere has a resolver'],
])('a query whose answer cannot last is refused at the start: %#', (resolver, message) => {
  expect(() => buildSubgraph({ name: 'x', resolvers: [resolver] })).toThrow(message);
});
