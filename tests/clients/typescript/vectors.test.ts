import { createHmac, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import {
  LastroError,
  LastroNetworkError,
  readPrivateKey,
  signRequest,
  verifyWebhook,
  WebhookError,
} from '../../../clients/typescript/src/index.js';
import { testVector } from '../../../rest/openapi/signed-requests.js';
import { signatureHeaders } from '../../../subgraphs/webhooks/engine/attempt.js';
import { call, clientOf, items as itemsOf, openServer, sendJson, vectors } from './kit.js';

interface Named {
  readonly name: string;
}
type Cases<T, More = unknown> = More & { readonly cases: readonly (Named & T)[] };

describe('signatures', () => {
  const { privateKey, privateKeyPkcs1, publicKey, cases } =
    vectors<
      Cases<
        { method: string; target: string; timestamp: number; body?: string; bodyBase64?: string; signature: string },
        { privateKey: string; privateKeyPkcs1: string; publicKey: string }
      >
    >('signatures');

  test.each(cases)('$name', async ({ method, target, timestamp, body, bodyBase64, signature }) => {
    const bytes = bodyBase64 === undefined ? body : Buffer.from(bodyBase64, 'base64');
    for (const pem of [privateKey, privateKeyPkcs1]) {
      expect(await signRequest(await readPrivateKey(pem), { method, target, timestamp, body: bytes })).toBe(signature);
    }
    const text = Buffer.concat([Buffer.from(`${method}\n${target}\n${timestamp}\n`), Buffer.from(bytes ?? '')]);
    expect(verify('RSA-SHA256', text, publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  test('the first vector is that of the OpenAPI text', () => {
    const { publicKey: documentedKey, timestamp, ...documented } = testVector;
    expect(cases[0]).toMatchObject({ ...documented, timestamp: Number(timestamp) });
    expect(publicKey.trim()).toBe(documentedKey.trim());
  });

  test('a key that is none is rejected', async () => {
    await expect(readPrivateKey('no key')).rejects.toThrow(TypeError);
    await expect(readPrivateKey(publicKey)).rejects.toThrow(TypeError);
  });
});

describe('webhooks', () => {
  const { toleranceSeconds, noSecrets, cases } = vectors<
    Cases<
      {
        secrets: string[];
        now: number;
        headers: Record<string, string>;
        body: string;
        expected: { event?: string; error?: string };
      },
      { toleranceSeconds: number; noSecrets: string[][] }
    >
  >('webhooks');

  const outcomeOf = async (work: Promise<{ id: string }>) => {
    try {
      return { event: (await work).id };
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return { error: error.reason };
    }
  };

  test.each(cases)('$name', async ({ secrets, now, headers, body, expected }) => {
    expect(await outcomeOf(verifyWebhook(body, headers, secrets, { now, toleranceSeconds }))).toEqual(expected);
    expect(await outcomeOf(verifyWebhook(Buffer.from(body), new Headers(headers), secrets, { now }))).toEqual(expected);
  });

  test('what the server signs is accepted with either secret during a rotation', async () => {
    const secret = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
    const secrets = { current: secret('the new secret of this'), previous: secret('the old one of this') };
    const body = JSON.stringify({ type: 'webhook.test', id: 'e', createdAt: '2026-11-20T15:00:00Z', data: {} });
    const message = { id: 'e', timestamp: Math.floor(Date.now() / 1_000), body };
    for (const byPrevious of [false, true]) {
      const headers = signatureHeaders(secrets, message, byPrevious);
      for (const known of [secrets.current, secrets.previous, Object.values(secrets)]) {
        expect(await verifyWebhook(body, headers, known)).toMatchObject({ id: 'e' });
      }
    }
  });

  test.each(noSecrets.map((secrets) => ({ secrets })))(
    'secrets $secrets are an error of the program and accept nothing',
    async ({ secrets }) => {
      const forged = createHmac('sha256', '').update('e.1.{}').digest('hex');
      const headers = { 'x-webhook-id': 'e', 'x-webhook-timestamp': '1', 'x-webhook-signature': forged };
      await expect(verifyWebhook('{}', headers, secrets, { now: 1 })).rejects.toThrow(TypeError);
    },
  );
});

describe('responses', () => {
  const { cases } = vectors<Cases<{ headers: Record<string, string>; body: string }>>('responses');

  test.each(cases)('$name', async ({ headers, body }) => {
    const server = await openServer((response) => response.writeHead(200, headers).end(body));
    const error: unknown = await clientOf(server.url)
      .GET('/public/patrimonies')
      .then(undefined, (reason: unknown) => reason);
    await server.close();
    expect(error).toBeInstanceOf(LastroError);
    expect(error).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
    expect(server.seen.length).toBe(1);
  });
});

describe('errors', () => {
  const { cases } =
    vectors<
      Cases<{ status: number; headers: Record<string, string>; body: string; expected: Record<string, unknown> }>
    >('errors');

  test.each(cases)('$name', async ({ status, headers, body, expected }) => {
    const server = await openServer((response) => response.writeHead(status, headers).end(body));
    const error: unknown = await clientOf(server.url, { retry: { maxRetries: 0 } })
      .GET('/public/patrimonies')
      .then(undefined, (reason: unknown) => reason);
    await server.close();
    if (!(error instanceof LastroError)) throw new Error('The call was not rejected with a LastroError');
    expect(error).not.toBeInstanceOf(LastroNetworkError);
    const { code = null, requestId = null, retryAfter = null, message, details } = error;
    expect(message).not.toBe('');
    const seen = { status: error.status, code, requestId, retryAfter, details, message };
    expect(seen).toEqual({ ...expected, message: expected['message'] ?? message });
  });
});

describe('pages', () => {
  const { cases } = vectors<
    Cases<{
      operationId: string;
      path: string;
      arguments: Readonly<Record<string, unknown>>;
      exchanges: { query: Record<string, string>; response: unknown }[];
      items: unknown[];
      error?: true;
    }>
  >('pages');

  test.each(cases)('$name', async ({ operationId, path, arguments: input, exchanges, items, error }) => {
    const server = await openServer((response, { url }) => {
      if (url.pathname === '/v1/auth/login') {
        sendJson(response, 200, { accessToken: 'a', refreshToken: 'r', expiresIn: 3600 });
        return;
      }
      const reads = server.seen.filter((one) => one.url.pathname === path).length;
      sendJson(response, 200, exchanges[reads - 1]?.response ?? {});
    });
    const yielded: unknown[] = [];
    const read = async () => {
      for await (const item of itemsOf(clientOf(server.url), operationId, input)) {
        yielded.push(item);
        // A walk that does not end.
        if (yielded.length > items.length) break;
      }
    };
    const failure: unknown = await read().catch((reason: unknown) => reason);
    await server.close();
    expect(yielded).toEqual(items);
    if (error === true) expect(failure).toMatchObject({ name: 'LastroError', code: 'INVALID_RESPONSE' });
    else expect(failure).toBeUndefined();
    const reads = server.seen.filter(({ url }) => url.pathname !== '/v1/auth/login');
    expect(reads.map(({ url }) => [url.pathname, Object.fromEntries(url.searchParams)])).toEqual(
      exchanges.map(({ query }) => [path, query]),
    );
  });

  test('a page is read only when the items before it were used', async () => {
    const server = await openServer((response) => {
      sendJson(response, 200, { items: [{}, {}], count: 9, nextToken: 'more' });
    });
    for await (const item of clientOf(server.url).items('/public/tranches')) {
      expect(item).toEqual({});
      break;
    }
    await sleep(20);
    await server.close();
    expect(server.seen.length).toBe(1);
  });
});

describe('retries', () => {
  interface Reply {
    lost?: true;
    status: number;
    retryAfter?: number;
  }
  const { maxRetries, maxRetryAfterSeconds, cases } = vectors<
    Cases<
      {
        operationId: string;
        takesKey: boolean;
        responses: Reply[];
        expected: { requests: number; status?: number; network?: true; waitSeconds?: number };
      },
      { maxRetries: number; maxRetryAfterSeconds: number }
    >
  >('retries');
  const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    register: { name: 'Ana', email: 'ana@example.com', password: 'x', company: 'C' },
    revokeApiKey: { id: '0190a000-0000-7000-8000-000000000003' },
    mcp: { body: { jsonrpc: '2.0' } },
  };

  test.each(cases)('$name', async ({ operationId, takesKey, responses, expected }) => {
    const server = await openServer((response) => {
      const { lost, status = 500, retryAfter } = responses[server.seen.length - 1] ?? {};
      if (lost === true) response.destroy();
      else sendJson(response, status, {}, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
    });
    const statuses: (number | undefined)[] = [];
    const client = clientOf(server.url, {
      retry: { backoffMs: 1, maxRetries, maxRetryAfterSeconds },
      onResponse: ({ status }) => statuses.push(status),
    });
    const error: unknown = await call(client, operationId, inputs[operationId]).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await server.close();
    expect(error instanceof LastroNetworkError).toBe(expected.network === true);
    if (expected.network !== true) expect(statuses.at(-1)).toBe(expected.status);
    if (expected.status !== undefined && expected.status >= 300)
      expect(error).toMatchObject({ status: expected.status });
    else if (expected.network !== true) expect(error).toBeUndefined();
    expect(server.seen.length).toBe(expected.requests);
    const keys = new Set(server.seen.map(({ headers }) => headers['x-idempotency-key']));
    expect(keys.size).toBe(1);
    expect([...keys][0] !== undefined).toBe(takesKey);
    const [first, last] = [server.seen.at(0)?.at ?? 0, server.seen.at(-1)?.at ?? 0];
    expect(last - first).toBeGreaterThanOrEqual((expected.waitSeconds ?? 0) * 1_000 - 5);
  });
});
