import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '5' });
});
afterAll(() => platform.close());

async function ask(query: string) {
  const response = await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, text: await response.text() };
}

const logins = (count: number) =>
  `mutation { ${Array.from({ length: count }, (_, n) => `a${n}: login(email: "a${n}@casa.example", password: "segredo123") { accessToken }`).join(' ')} }`;

test('logins through GraphQL spend from the same 20 a minute as their documented path, each alias one', async () => {
  const first = await ask(logins(4));
  expect(first.text).toContain('UNAUTHORIZED');
  // One is left; in a fragment it counts as well.
  expect(
    (
      await ask(
        'mutation { ...F ...G } fragment F on Mutation { forgotPassword(email: "a@casa.example") { message } } fragment G on Mutation { resendVerification(email: "a@casa.example") { message } }',
      )
    ).text,
  ).toContain('TOO_MANY_REQUESTS');
  const { status } = await fetch(`${platform.url}/v1/emissoes/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'b@casa.example', password: 'segredo123' }),
  });
  expect(status).toBe(401);
  expect((await ask(logins(1))).text).toContain('TOO_MANY_REQUESTS');
  expect((await ask('{ __typename }')).status).toBe(200);
});
