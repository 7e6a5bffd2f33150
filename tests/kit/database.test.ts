import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTestDatabase } from './database.js';

test('a statement that waits for a lock fails before the test does, whoever sends it', async () => {
  const database = await openTestDatabase();
  const limits: string[] = [];
  for (const url of [database.url, database.ownerUrl, database.superuserUrl]) {
    const client = new Client(url);
    await client.connect();
    limits.push(
      ...(await client.query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`)).rows.map(
        ({ limit }) => limit,
      ),
    );
    await client.end();
  }
  await database.close();
  expect(limits).toEqual(['30s', '1min', '1min']);
});
