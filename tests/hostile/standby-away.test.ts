import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { until } from '../kit/until.js';
import { openAwayTarget } from './away-kit.js';

const target = await openAwayTarget({}, undefined, { durable: true });
const server = new pg.Client(target.postgres.directUrl());
await server.connect();
afterAll(async () => {
  await server.end();
  await target.close();
});

/** Makes PostgreSQL wait at each commit until a standby has it. There is none, so it waits like one whose standby is frozen. */
async function demandStandby(demanded: boolean): Promise<void> {
  await server.query(`ALTER SYSTEM SET synchronous_standby_names = '${demanded ? 'nobody' : ''}'`);
  await server.query('SELECT pg_reload_conf()');
  await until('the server to read its settings', async () => {
    const { rows } = await server.query<{ names: string }>(
      `SELECT current_setting('synchronous_standby_names') AS names`,
    );
    return rows[0]?.names === (demanded ? 'nobody' : '');
  });
}

test('while a synchronous standby is frozen nothing is acknowledged, every write gets its 503 in time, and reads go on', async () => {
  await demandStandby(true);
  const externalId = `STANDBY-${randomUUID()}`;
  // Alone: behind another batch of the client it would not come as far as its commit.
  const unsure = await target.createBatch({ key: externalId, externalId });
  expect(unsure).toMatchObject({ status: 503, retryAfter: expect.any(String) });
  expect(unsure.message).toMatch(/whether it was made is unknown.*same X-Idempotency-Key/);
  for (const { status, retryAfter } of await Promise.all(Object.values(target.writes).map((write) => write())))
    expect([status, retryAfter !== null]).toEqual([503, true]);
  for (const read of Object.values(target.reads)) expect((await read()).status).toBeLessThan(300);

  await demandStandby(false);
  let again = await target.createBatch({ key: externalId, externalId });
  // Until PostgreSQL has told the server that nobody waits for the first attempt, that one is still running.
  await until('the end of the first attempt', async () => {
    if (again.status === 409) again = await target.createBatch({ key: externalId, externalId });
    return again.status !== 409;
  });
  expect(again.status).toBe(201);
  const { rowCount } = await server.query('SELECT 1 FROM credit_assignment.receivables WHERE external_id = $1', [
    externalId,
  ]);
  expect(rowCount).toBe(1);
});
