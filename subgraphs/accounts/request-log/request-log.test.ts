import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Pool } from 'pg';
import { fixedClock } from '../../../tests/kit/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { EndedRequest } from '../../../shared/kernel/logged-request.js';
import { quietLog } from '../../../tests/kit/context.js';
import { droppedRequests, mostWaiting, openRequestLog, writeEveryMs } from './request-log.js';
import type { LoggedRow } from './request-log.store.js';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  droppedRequests.reset();
});
afterEach(() => {
  jest.useRealTimers();
});

const ended: EndedRequest = {
  principal: { kind: 'API_KEY', id: newId(), ownerId: newId() },
  requestId: newId(),
  method: 'GET',
  route: '/v1/emissoes/operacoes/:ticker',
  status: 200,
  errorCode: undefined,
  durationMs: 1.6,
  bytes: 12,
};

/** A log whose batches are kept here; `error` makes writing fail. Nothing is written over the pool. */
function watch() {
  const batches: (readonly LoggedRow[])[] = [];
  const state: { error: Error | undefined } = { error: undefined };
  const log = openRequestLog(new Pool(), { clock: fixedClock('2026-11-20T15:00:00Z'), log: quietLog }, async (rows) => {
    await Promise.resolve();
    if (state.error !== undefined) throw state.error;
    batches.push(rows);
  });
  return { batches, state, log };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const dropped = async () => (await droppedRequests.get()).values[0]?.value ?? 0;

describe('the log of requests', () => {
  test('writes every two seconds, with the template of the path', async () => {
    const { batches, log } = watch();
    log.note(ended);
    jest.advanceTimersByTime(writeEveryMs - 1);
    await settle();
    expect(batches).toEqual([]);
    jest.advanceTimersByTime(1);
    await settle();
    expect(batches).toEqual([
      [
        expect.objectContaining({
          route: '/v1/emissoes/operacoes/{ticker}',
          durationMs: 2,
          requestId: ended.requestId,
          keyId: ended.principal.id,
          errorCode: null,
        }),
      ],
    ]);
    await log.close();
  });

  test('writes at once when a batch is full, and in batches of a thousand', async () => {
    const { batches, log } = watch();
    for (let count = 0; count < 2_500; count += 1) log.note(ended);
    await log.close();
    expect(batches.map((rows) => rows.length)).toEqual([1_000, 1_000, 500]);
  });

  test('leaves out callers without a key of an account', async () => {
    const { batches, log } = watch();
    for (const kind of ['ANONYMOUS', 'SESSION', 'OPERATOR', 'CLIENT', 'TRADER'] as const) {
      log.note({ ...ended, principal: { ...ended.principal, kind } });
    }
    await log.close();
    expect(batches).toEqual([]);
  });

  test('drops and counts what exceeds its buffer while nothing can be written, and writes the rest later', async () => {
    const { batches, state, log } = watch();
    state.error = Object.assign(new Error('terminating connection'), { severity: 'FATAL', code: '57P01' });
    for (let count = 0; count < mostWaiting + 7; count += 1) log.note(ended);
    await settle();
    expect(await dropped()).toBe(7);
    state.error = undefined;
    await log.close();
    expect(batches.reduce((sum, rows) => sum + rows.length, 0)).toBe(mostWaiting);
    expect(await dropped()).toBe(7);
  });

  test('drops and counts what the database will never take, and writes what follows', async () => {
    const { batches, state, log } = watch();
    state.error = Object.assign(new Error('violates check constraint'), { severity: 'ERROR', code: '23514' });
    log.note(ended);
    await log.flush();
    expect(await dropped()).toBe(1);
    state.error = undefined;
    log.note(ended);
    await log.close();
    expect(batches.map((rows) => rows.length)).toEqual([1]);
    expect(await dropped()).toBe(1);
  });
});
