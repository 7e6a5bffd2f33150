import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { testContext, testKeyRing, testMasterKey } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import type { Context, Idempotency } from '../kernel/context.js';
import { createKeyRing } from '../security/crypto.js';
import { sealedResponse } from '../security/sealed.js';
import type { GraphResult } from './executor.js';
import { eraseResponsesOf } from './idempotent-response.store.js';
import { once } from './idempotency.js';

let runs: string[];

const database = await openTestDatabase();
const context = testContext({ manager: database.dataSource.manager });
afterAll(() => database.close());
beforeEach(async () => {
  runs = [];
  await database.asOwner('TRUNCATE shared.idempotent_answers');
});

const answered = (text: string): GraphResult => ({ data: { note: text } });

/** Runs `work`, by default one that returns the text, once for a key of an owner. */
async function run(
  key: string,
  text: string,
  parts: Partial<Idempotency> & { keyRing?: typeof testKeyRing; work?: (tx: Context) => Promise<GraphResult> } = {},
) {
  const { keyRing = testKeyRing, work = () => Promise.resolve(answered(text)), ...bound } = parts;
  const digest = Buffer.from(text);
  const idempotency = { key, owner: 'SESSION:ana', operation: 'POST /notes', digest, replayed: false, ...bound };
  const answer = await once(context, idempotency, keyRing, (tx) => {
    runs.push(text);
    return work(tx);
  });
  return { answer, replayed: idempotency.replayed };
}

async function replace(key: string, answer: Buffer): Promise<void> {
  await database.dataSource.query('UPDATE shared.idempotent_answers SET answer = $1 WHERE key = $2', [answer, key]);
}

describe('what is kept for an idempotency key', () => {
  test('and opens under no key of the house is a conflict that says so, and the request does not run again', async () => {
    await run('k1', 'hello');
    const other = createKeyRing(Buffer.alloc(32, 8));
    await expect(run('k1', 'hello', { keyRing: other })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^The idempotency key was already used, .* can no longer be read/),
    });
    expect(runs).toEqual(['hello']);
  });

  test('opens under the previous master key', async () => {
    await run('k1', 'hello');
    const renewed = createKeyRing(Buffer.alloc(32, 8), testMasterKey);
    expect(await run('k1', 'hello', { keyRing: renewed })).toEqual({ answer: answered('hello'), replayed: true });
  });

  test('and opens, but is no response, is an error of the house and no conflict of the caller', async () => {
    await run('k1', 'hello');
    await replace('k1', testKeyRing.seal(sealedResponse, 'hello'));
    await expect(run('k1', 'hello')).rejects.toThrow(SyntaxError);
    expect(runs).toEqual(['hello']);
  });

  test('is erased for the credentials of one owner, of the kinds that are named, and for no other', async () => {
    const owners = ['SESSION:ana', 'API_KEY:ana', 'CLIENT:ana', 'SESSION:bia'];
    for (const owner of owners) await run('k1', owner, { owner });
    await eraseResponsesOf(context, 'ana', ['SESSION', 'API_KEY']);
    const replayed = [];
    for (const owner of owners) replayed.push((await run('k1', owner, { owner })).replayed);
    expect(replayed).toEqual([false, false, true, true]);
  });
});

describe('a request under an idempotency key', () => {
  test('does not hold up one under another key, or under the same key of another owner', async () => {
    const inner = async () => {
      await run('k2', 'other key');
      await run('k1', 'other owner', { owner: 'SESSION:bia' });
      await expect(run('k1', 'same key')).rejects.toMatchObject({ code: 'CONFLICT' });
      return answered('outer');
    };
    expect(await run('k1', 'outer', { work: inner })).toEqual({ answer: answered('outer'), replayed: false });
    expect(runs).toEqual(['outer', 'other key', 'other owner']);
  });

  test('keeps the mildest refusal too, though a statement failed on the way to it', async () => {
    const refused = async (tx: Context): Promise<GraphResult> => {
      await tx.manager.query('SELECT 1/0').catch(() => undefined);
      return { errors: [new GraphQLError('Not that', { extensions: { code: 'BAD_REQUEST', statusCode: 400 } })] };
    };
    const first = await run('k1', 'hello', { work: refused });
    expect(first).toMatchObject({ answer: { errors: [{ message: 'Not that' }] }, replayed: false });
    const second = await run('k1', 'hello', { work: refused });
    expect(JSON.stringify(second)).toBe(JSON.stringify({ ...first, replayed: true }));
    expect(runs).toEqual(['hello']);
  });

  test('is undone as a whole when the worst of its errors is one of the house', async () => {
    const error = (statusCode: number) => new GraphQLError(`${statusCode}`, { extensions: { statusCode } });
    const failed = { errors: [error(422), error(500), error(409)] };
    expect(await run('k1', 'hello', { work: () => Promise.resolve(failed) })).toEqual({
      answer: failed,
      replayed: false,
    });
    expect(await run('k1', 'hello')).toEqual({ answer: answered('hello'), replayed: false });
  });
});
