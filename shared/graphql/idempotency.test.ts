import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'graphql';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { librarySubgraph } from '../../tests/graph/library.js';
import { fixedClock } from '../../tests/kit/clock.js';
import type { Context, Idempotency, Principal } from '../kernel/context.js';
import { createExecutor } from './execute.js';
import type { GraphResult } from './executor.js';

const session: Principal = { kind: 'SESSION', id: 's1', ownerId: 'ana', scopes: ['confirmed'] };
const document = parse('mutation ($text: String!, $fail: String) { note(text: $text, fail: $fail) }');
const library = createExecutor(librarySubgraph().schema, testKeyRing);
const clock = fixedClock('2026-11-20T15:00:00Z');

const database = await openTestDatabase({ poolSize: 20 });
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.outbox, shared.idempotent_answers');
});

interface Outcome {
  readonly answer: GraphResult;
  readonly replayed: boolean;
}

async function ask(
  key: string,
  text: string,
  parts: Partial<Idempotency & { fail: string; context: Partial<Context> }> = {},
): Promise<Outcome> {
  const { fail, context, ...bound } = parts;
  const idempotency: Idempotency = {
    key,
    owner: 'ana',
    operation: 'POST /notes',
    digest: Buffer.from(text),
    replayed: false,
    ...bound,
  };
  const answer = await library.execute(
    { document, variables: { text, fail } },
    testContext({ manager: database.dataSource.manager, principal: session, clock, idempotency, ...context }),
  );
  return { answer: JSON.parse(JSON.stringify(answer)) as GraphResult, replayed: idempotency.replayed };
}

async function notes(): Promise<string[]> {
  const rows: { key: string }[] = await database.dataSource.query('SELECT key FROM shared.outbox ORDER BY position');
  return rows.map((row) => row.key);
}

async function stored(): Promise<{ answer: Buffer }[]> {
  return database.dataSource.query('SELECT answer FROM shared.idempotent_answers');
}

const code = ({ answer }: Outcome): unknown => answer.errors?.[0]?.extensions['code'];

describe('an idempotency key', () => {
  test('makes an operation run once, and gives its answer again', async () => {
    const first = await ask('k1', 'hello');
    const second = await ask('k1', 'hello');
    expect(first).toEqual({ answer: { data: { note: 'hello' } }, replayed: false });
    expect(second).toEqual({ answer: { data: { note: 'hello' } }, replayed: true });
    expect(await notes()).toEqual(['hello']);
  });

  test('keeps the answer sealed', async () => {
    await ask('k1', 'very secret text');
    expect((await stored())[0]?.answer.toString('latin1')).not.toContain('secret');
  });

  test('with another body or another operation is a conflict, and nothing runs', async () => {
    await ask('k1', 'hello');
    const otherBody = await ask('k1', 'bye');
    const otherOperation = await ask('k1', 'hello', { operation: 'POST /letters' });
    expect(otherBody.answer.errors).toMatchObject([
      { message: expect.stringContaining('already used with a different body'), extensions: { code: 'CONFLICT' } },
    ]);
    expect(otherOperation.answer.errors).toMatchObject([
      { message: expect.stringContaining('already used with a different operation'), extensions: { code: 'CONFLICT' } },
    ]);
    expect(await notes()).toEqual(['hello']);
  });

  test('belongs to its owner', async () => {
    await ask('k1', 'hello');
    expect((await ask('k1', 'hello', { owner: 'bia' })).replayed).toBe(false);
    expect(await notes()).toEqual(['hello', 'hello']);
  });

  test('gives a refusal again with the request id of the first time', async () => {
    const first = await ask('k1', 'hello', { fail: 'fault', context: { requestId: 'first' } });
    const second = await ask('k1', 'hello', { fail: 'fault', context: { requestId: 'second' } });
    expect(first.answer.errors).toMatchObject([{ extensions: { code: 'UNPROCESSABLE', requestId: 'first' } }]);
    expect(second).toEqual({ ...first, replayed: true });
  });

  test('stores and keeps nothing when the operation fails, so that it can be tried again', async () => {
    expect(code(await ask('k1', 'hello', { fail: 'crash' }))).toBe('INTERNAL');
    expect(await notes()).toEqual([]);
    expect(await stored()).toEqual([]);
    expect(await ask('k1', 'hello')).toMatchObject({ answer: { data: { note: 'hello' } }, replayed: false });
  });

  test('with an act that swallowed the error of a statement is an error, and nothing is done or kept', async () => {
    expect(code(await ask('k1', 'hello', { fail: 'swallowed' }))).toBe('INTERNAL');
    expect(await notes()).toEqual([]);
    expect(await stored()).toEqual([]);
    expect(await ask('k1', 'hello')).toMatchObject({ answer: { data: { note: 'hello' } }, replayed: false });
  });

  test('of a request that had to wait is free: after the wait the same request runs', async () => {
    expect(code(await ask('k1', 'hello', { fail: 'limit' }))).toBe('TOO_MANY_REQUESTS');
    expect(await stored()).toEqual([]);
    expect(await ask('k1', 'hello')).toMatchObject({ answer: { data: { note: 'hello' } }, replayed: false });
  });

  test('of several mutations is kept where one has run, though another one was refused', async () => {
    const both = parse('mutation { a: note(text: "one") b: note(text: "two", fail: "limit") }');
    const idempotency = { key: 'k1', owner: 'ana', operation: 'POST', digest: Buffer.from(''), replayed: false };
    const run = () =>
      library.execute(
        { document: both },
        testContext({ manager: database.dataSource.manager, principal: session, clock, idempotency }),
      );
    const first = await run();
    expect([first.data, code({ answer: first, replayed: false })]).toEqual([
      { a: 'one', b: null },
      'TOO_MANY_REQUESTS',
    ]);
    await run();
    expect(idempotency.replayed).toBe(true);
    expect((await notes()).filter((note) => note === 'one')).toHaveLength(1);
  });

  test('is kept for 24 hours and then free', async () => {
    await ask('k1', 'hello');
    clock.advance(24 * 3600_000 - 1);
    expect((await ask('k1', 'hello')).replayed).toBe(true);
    clock.advance(1);
    expect(await ask('k1', 'bye')).toMatchObject({ answer: { data: { note: 'bye' } }, replayed: false });
    expect((await ask('k1', 'bye')).replayed).toBe(true);
  });

  test('asked for by many at once runs once; the others are asked to come back, or get the result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.integer({ min: 2, max: 12 }), async (key, askers) => {
        const outcomes = await Promise.all(Array.from({ length: askers }, () => ask(key, key)));
        expect((await notes()).filter((note) => note === key)).toHaveLength(1);
        for (const { answer, replayed } of outcomes) {
          if (answer.errors === undefined) expect(answer.data).toEqual({ note: key });
          else {
            expect(replayed).toBe(false);
            expect(answer.errors).toMatchObject([{ extensions: { code: 'CONFLICT', retryAfterSeconds: 1 } }]);
          }
        }
        expect(outcomes.filter(({ answer, replayed }) => answer.errors === undefined && !replayed)).toHaveLength(1);
      }),
      { numRuns: 20 },
    );
  });

  test('does nothing to a query', async () => {
    const idempotency: Idempotency = {
      key: 'q',
      owner: 'ana',
      operation: 'POST /graphql',
      digest: Buffer.from(''),
      replayed: false,
    };
    const context = testContext({ manager: database.dataSource.manager, principal: session, idempotency });
    await library.execute({ document: parse('{ reader }') }, context);
    expect(await stored()).toEqual([]);
  });
});

describe('a signed request', () => {
  const bySignature = { owner: 'SIGNATURE:ana', key: 's1' };

  test('that comes again gets its answer, with another key or without one', async () => {
    await ask('k1', 'hello', { also: bySignature });
    const replays = [
      await ask('k1', 'hello', { also: bySignature }),
      await ask('k2', 'hello', { also: bySignature }),
      await ask(bySignature.key, 'hello', { owner: bySignature.owner }),
    ];
    for (const replay of replays) expect(replay).toEqual({ answer: { data: { note: 'hello' } }, replayed: true });
    expect(await notes()).toEqual(['hello']);
    // The key of a replay is bound to nothing: nobody signed it.
    expect(await ask('k2', 'bye')).toMatchObject({ replayed: false });
  });

  test('that first came without a key gets its answer when it comes with one', async () => {
    await ask(bySignature.key, 'hello', { owner: bySignature.owner });
    expect((await ask('k1', 'hello', { also: bySignature })).replayed).toBe(true);
    expect(await notes()).toEqual(['hello']);
  });

  test('that was signed anew for the same key gets the answer, and so does its own replay', async () => {
    await ask('k1', 'hello', { also: bySignature });
    const anew = { owner: 'SIGNATURE:ana', key: 's2' };
    expect((await ask('k1', 'hello', { also: anew })).replayed).toBe(true);
    expect((await ask(anew.key, 'hello', { owner: anew.owner })).replayed).toBe(true);
    expect(await notes()).toEqual(['hello']);
  });

  test('is not bound to a key that was used for something else', async () => {
    await ask('k1', 'hello');
    expect(code(await ask('k1', 'bye', { also: bySignature }))).toBe('CONFLICT');
    expect(await ask('k2', 'bye', { also: bySignature })).toMatchObject({ replayed: false });
    expect(await notes()).toEqual(['hello', 'bye']);
  });

  test('that failed may be sent again as it is', async () => {
    await ask('k1', 'hello', { also: bySignature, fail: 'crash' });
    expect(await ask('k1', 'hello', { also: bySignature })).toMatchObject({ replayed: false });
  });

  test('sent many times at once, with as many keys, runs once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(`k${index}`, 'hello', { also: bySignature })),
    );
    expect(await notes()).toEqual(['hello']);
    for (const { answer } of outcomes) {
      if (answer.errors === undefined) expect(answer.data).toEqual({ note: 'hello' });
      else expect(answer.errors).toMatchObject([{ extensions: { code: 'CONFLICT', retryAfterSeconds: 1 } }]);
    }
  });
});
