import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { fixedClock } from '../../tests/kit/clock.js';
import type { Context, Idempotency } from '../kernel/context.js';
import { inTransaction } from '../database/transaction.js';
import { ApiError } from '../kernel/errors.js';
import { newId } from '../kernel/ids.js';
import type { GraphResult } from './executor.js';
import { bindSubject, onceInSteps, stepsLeaseMs, subjectOf } from './in-steps.js';

const clock = fixedClock('2026-11-20T15:00:00Z');

const database = await openTestDatabase({ poolSize: 20 });
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.outbox, shared.idempotent_answers');
});

const failure = (statusCode: number): GraphResult => ({
  errors: [new GraphQLError('It failed', { extensions: { code: 'X', statusCode } })],
});

interface Steps {
  /** Runs after the first step was committed. */
  readonly second?: (subject: string) => Promise<GraphResult> | GraphResult;
  readonly digest?: string;
  /** Runs before the first step, and inside it. */
  readonly before?: () => Promise<void>;
  readonly first?: (tx: Context) => Promise<void>;
}

/** An order in two steps: the first creates it, unless an earlier run of the request did; the second returns the result. */
async function ask(key: string, { second, digest = 'body', before, first }: Steps = {}) {
  const idempotency: Idempotency = {
    key,
    owner: 'TRADER:ana',
    operation: 'POST /orders',
    digest: Buffer.from(digest),
    replayed: false,
  };
  const context = testContext({ manager: database.dataSource.manager, clock, idempotency });
  const answer = await onceInSteps(context, idempotency, testKeyRing, async (inside) => {
    const known = subjectOf(inside);
    const subject = known ?? newId();
    await before?.();
    const make = async (tx: Context) => {
      await tx.manager.query(
        `INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at) VALUES ($1::uuid, 'made', $1::uuid::text, '{}', true, now())`,
        [subject],
      );
      await bindSubject(tx, subject);
      await first?.(tx);
    };
    try {
      if (known === undefined) await inTransaction(inside, make);
    } catch (error) {
      if (error instanceof ApiError) return failure(503);
      throw error;
    }
    return second === undefined ? { data: { subject } } : second(subject);
  });
  return { answer, replayed: idempotency.replayed };
}

const made = async () =>
  (await database.dataSource.query<object[]>("SELECT FROM shared.outbox WHERE topic = 'made'")).length;

test('the same request gets the answer of the first, which ran once', async () => {
  const { answer } = await ask('k');
  expect(await ask('k')).toEqual({ answer, replayed: true });
  expect(await made()).toBe(1);
});

test('of many at once one runs, and the others get an error that says when to come again', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 12 }, () => ask('k')));
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  expect(refused.every((error) => error.message.includes('still running'))).toBe(true);
  expect(await made()).toBe(1);
});

test('a request that is under way holds its key until its process is taken for gone; then it goes on with what was made', async () => {
  const cut = new Error('killed');
  let bound = '';
  const killed = ask('k', {
    second: (subject) => {
      bound = subject;
      throw cut;
    },
  });
  await expect(killed).rejects.toBe(cut);
  await expect(ask('k')).rejects.toMatchObject({ code: 'CONFLICT', extensions: { retryAfterSeconds: 1 } });
  clock.advance(stepsLeaseMs);
  expect((await ask('k')).answer).toEqual({ data: { subject: bound } });
  expect((await ask('k')).replayed).toBe(true);
  expect(await made()).toBe(1);
});

test('a request that comes again while the first one is about to commit goes on with what that made', async () => {
  let again: ReturnType<typeof ask> | undefined;
  const first = ask('k', {
    first: async () => {
      clock.advance(stepsLeaseMs);
      again = ask('k');
      await setTimeout(200);
    },
  });
  const { answer } = await first;
  expect((await again)?.answer).toEqual(answer);
  expect(await made()).toBe(1);
});

test('a run that was taken for gone makes nothing any more, and does not touch the answer of the other', async () => {
  let other: GraphResult | undefined;
  const late = ask('k', {
    before: async () => {
      clock.advance(stepsLeaseMs);
      other = (await ask('k')).answer;
    },
  });
  expect((await late).answer.errors).toHaveLength(1);
  expect(await ask('k')).toEqual({ answer: other, replayed: true });
  expect(await made()).toBe(1);
});

test('a first step that is undone leaves nothing behind, and the request runs anew once the key is free', async () => {
  const undone = ask('k', { first: () => Promise.reject(new Error('undone')) });
  await expect(undone).rejects.toThrow('undone');
  expect(await made()).toBe(0);
  clock.advance(stepsLeaseMs);
  expect((await ask('k')).replayed).toBe(false);
  expect(await made()).toBe(1);
});

test('a first step that was undone and is answered with 5xx binds nothing: the same request runs anew at once', async () => {
  const { answer } = await ask('k', { first: () => Promise.reject(new ApiError('UNAVAILABLE')) });
  expect(answer.errors?.[0]?.extensions).toMatchObject({ statusCode: 503 });
  const again = await ask('k');
  const [row]: { key: string }[] = await database.dataSource.query(
    "SELECT key FROM shared.outbox WHERE topic = 'made'",
  );
  expect(again).toEqual({ answer: { data: { subject: row?.key } }, replayed: false });
  expect(await made()).toBe(1);
});

test('an answer of 5xx is not kept: the request comes again at once, and goes on with what was made', async () => {
  let subject = '';
  await ask('k', {
    second: (given) => {
      subject = given;
      return failure(503);
    },
  });
  expect((await ask('k')).answer).toEqual({ data: { subject } });
  expect(await made()).toBe(1);
});

test('a refusal is kept, a refusal for too many requests is not', async () => {
  await ask('refused', { second: () => failure(422) });
  expect((await ask('refused')).answer.errors).toHaveLength(1);
  await ask('later', { second: () => failure(429) });
  expect((await ask('later')).answer.data).toBeDefined();
});

test('a key that is bound to another body is refused, also while the first request is under way', async () => {
  await expect(ask('k', { second: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
  await expect(ask('k', { digest: 'other' })).rejects.toMatchObject({ code: 'CONFLICT' });
  clock.advance(stepsLeaseMs);
  await ask('k');
  await expect(ask('k', { digest: 'other' })).rejects.toThrow('with a different body');
});
