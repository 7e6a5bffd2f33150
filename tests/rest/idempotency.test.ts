import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

async function register(key: string, body: string) {
  const response = await fetch(`${platform.url}/v1/emissoes/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
    body,
  });
  return {
    status: response.status,
    replayed: response.headers.get('x-idempotent-replayed'),
    text: await response.text(),
  };
}

const good = JSON.stringify({ name: 'Ana', email: 'ana@casa.example', password: 'segredo123', company: 'Casa' });

test('a body refused with 400 is an answer that its key keeps, to the letter, and no other body may use the key', async () => {
  const first = await register('k1', '{"name":5}');
  expect(first).toMatchObject({ status: 400, replayed: null });
  expect(await register('k1', '{"name":5}')).toEqual({ ...first, replayed: 'true' });
  expect(await register('k1', good)).toMatchObject({ status: 409, replayed: null });
  expect(await register('k2', good)).toMatchObject({ status: 200, replayed: null });
});

test('a caller without a credential stores nothing by a mutation that is refused to it', async () => {
  const refused = await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-idempotency-key': 'nobody' },
    body: JSON.stringify({ query: 'mutation { createApiKey(name: "x") { id } }' }),
  });
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
  const stored = 'SELECT key FROM shared.idempotent_answers WHERE key = $1';
  expect(await platform.infrastructure.dataSource.query(stored, ['nobody'])).toEqual([]);
  await register('somebody', '{"name":5}');
  expect(await platform.infrastructure.dataSource.query(stored, ['somebody'])).toEqual([{ key: 'somebody' }]);
});
