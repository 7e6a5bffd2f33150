import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { Arg, Ctx, Field, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { anonymous, type Context, type Idempotency, type Principal } from '../kernel/context.js';
import { inTransaction } from '../database/transaction.js';
import { ApiError, refuse } from '../kernel/errors.js';
import { announce } from '../events/outbox/outbox.js';
import { Access } from './access.js';
import { buildSubgraph } from './build.js';
import { createExecutor } from './execute.js';
import { FormMutation } from './forms.js';

@ObjectType({ simpleResolvers: true })
class Letter {
  @Field(() => String)
  text!: string;
}

/** Turns a failed statement, which ends the transaction that it runs in, into the rejection of a field. */
async function lost({ manager }: Context): Promise<never> {
  await manager.query('SELECT 1 / 0').catch(() => undefined);
  throw new ApiError('BAD_REQUEST', { details: [{ path: 'text', message: 'is not storable' }] });
}

@Resolver()
class Letters {
  @Access('anyone')
  @Query(() => String)
  office(): string {
    return 'open';
  }

  @Access('session')
  @FormMutation()
  @Mutation(() => Letter)
  post(
    @Ctx() context: Context,
    @Arg('text', () => String) text: string,
    @Arg('cause', () => String, { nullable: true }) cause?: string,
  ): Promise<Letter> {
    if (cause === 'statement') return lost(context);
    return inTransaction(context, async (tx) => {
      await announce(tx, { topic: 'letter.posted', key: text, payload: {} });
      if (cause === 'form') {
        const details = ['text', 'cause'].map((path) => ({ path, message: 'is not right' }));
        refuse('UNPROCESSABLE', details);
      }
      if (cause === 'conflict') throw new ApiError('CONFLICT', { message: 'It exists' });
      if (cause === 'crash') throw new Error('The office burned down');
      return { text };
    });
  }
}

@Resolver()
class Words {
  @Access('anyone')
  @Query(() => String)
  office(): string {
    return 'open';
  }

  @Access('anyone')
  @FormMutation()
  @Mutation(() => String)
  say(): string {
    return 'a word';
  }
}

const session: Principal = { kind: 'SESSION', id: 's1', ownerId: 'ana', scopes: ['confirmed'] };
const document = parse(`mutation ($text: String!, $cause: String) { postResult(text: $text, cause: $cause) {
  __typename ... on Letter { text } ... on InputErrors { code message details { path message } } } }`);

const database = await openTestDatabase();
afterAll(() => database.close());

describe('a mutation that forms send', () => {
  const { schema, sdl } = buildSubgraph({ name: 'x', resolvers: [new Letters()] });
  const executor = createExecutor(schema, testKeyRing);

  beforeEach(() => database.asOwner('TRUNCATE shared.outbox, shared.idempotent_answers'));

  const send = async (
    variables: { readonly text: string; readonly cause?: string },
    parts: Partial<Context> = {},
  ): Promise<unknown> => {
    const context = testContext({ manager: database.dataSource.manager, principal: session, ...parts });
    return JSON.parse(JSON.stringify(await executor.execute({ document, variables }, context)));
  };
  const posted = (): Promise<unknown> => database.dataSource.query('SELECT key FROM shared.outbox ORDER BY position');
  const keyed = (key: string): Idempotency => ({
    key,
    owner: 'ana',
    operation: 'POST /letters',
    digest: Buffer.from(key),
    replayed: false,
  });
  const rejected = {
    data: {
      postResult: {
        __typename: 'InputErrors',
        code: 'UNPROCESSABLE',
        message: expect.any(String),
        details: [
          { path: 'text', message: 'is not right' },
          { path: 'cause', message: 'is not right' },
        ],
      },
    },
  };

  test('has a second one with the same arguments, whose result is the object', async () => {
    expect(sdl).toContain('union PostResult = Letter | InputErrors');
    expect(await send({ text: 'hello' })).toEqual({ data: { postResult: { __typename: 'Letter', text: 'hello' } } });
    expect(await posted()).toEqual([{ key: 'hello' }]);
  });

  test('returns all errors of its fields as data, and changes nothing', async () => {
    expect(await send({ text: 'hello', cause: 'form' })).toEqual(rejected);
    expect(await posted()).toEqual([]);
  });

  test.each([
    ['conflict', 'CONFLICT'],
    ['crash', 'INTERNAL'],
  ])('leaves an error without fields in errors: %s', async (cause, code) => {
    expect(await send({ text: 'hello', cause })).toMatchObject({
      data: { postResult: null },
      errors: [{ path: ['postResult'], extensions: { code } }],
    });
  });

  test('has the access of the first one', async () => {
    expect(await send({ text: 'hello' }, { principal: anonymous('192.0.2.1') })).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHORIZED' } }],
    });
    expect(await posted()).toEqual([]);
  });

  test.each([
    [undefined, { data: { postResult: { __typename: 'Letter', text: 'hello' } } }, [{ key: 'hello' }]],
    ['form', rejected, []],
    ['statement', { data: { postResult: { __typename: 'InputErrors', code: 'BAD_REQUEST' } } }, []],
  ])('runs once with an idempotency key, and repeats its result: %s', async (cause, result, outbox) => {
    const variables = { text: 'hello', ...(cause === undefined ? {} : { cause }) };
    const [first, second] = [keyed('k'), keyed('k')];
    expect(await send(variables, { idempotency: first })).toMatchObject(result);
    expect(await send(variables, { idempotency: second })).toMatchObject(result);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(await posted()).toEqual(outbox);
  });

  test('is not stored where it fails, so that it can be sent again', async () => {
    expect(await send({ text: 'hello', cause: 'crash' }, { idempotency: keyed('k') })).toMatchObject({
      errors: [{ extensions: { code: 'INTERNAL' } }],
    });
    const again = keyed('k');
    expect(await send({ text: 'hello' }, { idempotency: again })).toMatchObject({ data: { postResult: {} } });
    expect(again.replayed).toBe(false);
  });

  test('is refused where it returns no object', () => {
    expect(() => buildSubgraph({ name: 'x', resolvers: [new Words()] })).toThrow('say can be no form mutation');
  });
});
