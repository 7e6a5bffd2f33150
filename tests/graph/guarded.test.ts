import { afterAll, expect, test } from '@jest/globals';
import { callerOf } from '../accounts/http.js';
import { openTestPlatform } from '../kit/platform.js';

const platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '5' });
const caller = callerOf(platform);
afterAll(() => platform.close());

const ask = async (query: string) => JSON.stringify((await caller.graphql(query)).body);
const logins = (count: number) =>
  `mutation { ${Array.from({ length: count }, (_, n) => `a${n}: login(email: "a${n}@casa.example", password: "segredo123") { accessToken }`).join(' ')} }`;

test('logins through GraphQL spend from the same 20 a minute as their documented path, each alias one', async () => {
  expect(await ask(logins(4))).toContain('UNAUTHORIZED');
  // One is left; in a fragment it counts as well.
  expect(
    await ask(
      'mutation { ...F ...G } fragment F on Mutation { forgotPassword(email: "a@casa.example") { message } } fragment G on Mutation { resendVerification(email: "a@casa.example") { message } }',
    ),
  ).toContain('TOO_MANY_REQUESTS');
  const login = { email: 'b@casa.example', password: 'segredo123' };
  expect((await caller.post('/v1/emissoes/auth/login', login)).status).toBe(401);
  expect(await ask(logins(1))).toContain('TOO_MANY_REQUESTS');
  expect((await caller.graphql('{ __typename }')).status).toBe(200);
});
