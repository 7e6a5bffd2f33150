import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform } from '../kit/platform.js';
import { callerOf, password } from './http.js';

const platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '12' });
const caller = callerOf(platform);
afterAll(() => platform.close());

const registration = `mutation ($email: String!, $password: String!) {
  registerResult(name: "Ana Souza", email: $email, password: $password, company: "Casa") {
    __typename ... on Message { message } ... on InputErrors { code details { path message } } } }`;
const key = `mutation ($name: String!) { createApiKeyResult(name: $name) {
  __typename ... on CreatedApiKey { key } ... on InputErrors { code details { path message } } } }`;

describe('the mutations of forms', () => {
  test('return the errors of every field as data, with status 200', async () => {
    const { status, body } = await caller.graphql(registration, { email: 'ana', password: 'curta' });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        registerResult: {
          __typename: 'InputErrors',
          code: 'BAD_REQUEST',
          details: [
            { path: 'email', message: expect.any(String) },
            { path: 'password', message: expect.any(String) },
          ],
        },
      },
    });
  });

  test('act as the mutations beside them', async () => {
    const { body } = await caller.graphql(registration, { email: 'ana@casa.example', password });
    expect(body).toMatchObject({ data: { registerResult: { __typename: 'Message' } } });
    expect(await caller.mailbox('ana@casa.example')).toHaveLength(1);
  });

  test('run once with an idempotency key, whether the input was accepted or rejected', async () => {
    const authorization = await caller.member('bia@casa.example');
    for (const [name, typename] of [
      ['planilha', 'CreatedApiKey'],
      ['', 'InputErrors'],
    ]) {
      const headers = { ...authorization, 'x-idempotency-key': randomUUID() };
      const first = await caller.graphql(key, { name }, headers);
      const second = await caller.graphql(key, { name }, headers);
      expect(first.body).toMatchObject({ data: { createApiKeyResult: { __typename: typename } } });
      expect(second.body).toEqual(first.body);
    }
  });

  test('are limited by address as the mutations beside them', async () => {
    const responses = [];
    for (let count = 0; count < 13; count += 1)
      responses.push(await caller.graphql(registration, { email: 'ana', password: 'curta' }));
    expect(responses.at(-1)?.status).toBe(429);
  });
});
