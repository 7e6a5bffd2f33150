// A client of the trading paths in plain Node: it logs in, refreshes its tokens in time, and sends again only what is safe to send again.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** An error that the house answered: its status, its code (`CAAS_…`) where it has one, and what is wrong by path. */
export class ApiError extends Error {
  constructor({ statusCode, message, code, details, requestId }) {
    const where = (details ?? []).map(({ path, message: what }) => `${path} ${what}`).join('; ');
    super(`${statusCode} ${message}${where === '' ? '' : `: ${where}`} (request ${requestId})`);
    Object.assign(this, { statusCode, code, details });
  }
}

const attempts = 5;
/** Tokens are renewed so many seconds before they expire. */
const marginSeconds = 60;
const timeoutMs = 10_000;

/**
 * Opens a client. Nothing is sent before the first call.
 * @param {{ baseUrl: string, apiKey: string, secretKey: string, profileId?: string, synthetic?: boolean }} options
 */
export function createClient({ baseUrl, apiKey, secretKey, profileId, synthetic = false }) {
  let tokens;
  let renewAt = 0;
  let renewing;

  const keep = (answer) => {
    tokens = answer;
    renewAt = Date.now() + (answer.expiresIn - marginSeconds) * 1_000;
  };
  const login = async () => {
    keep(await send('POST', '/v1/auth/login', { body: { apiKey, secretKey } }));
  };
  /** A refresh token is good once. With a key of its own the request can be sent again when its answer was lost. */
  const refreshNow = async () => {
    const { refreshToken } = tokens;
    try {
      keep(await send('PUT', '/v1/auth/refresh', { body: { refreshToken }, key: randomUUID() }));
    } catch (error) {
      if (error.statusCode !== 401) throw error;
      await login();
    }
  };
  /** Gets new tokens, once for all calls that want them at the same time: a second use of a refresh token would end the login. */
  const renewed = (work) => {
    renewing ??= work().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const refresh = () => renewed(refreshNow);
  const session = async () => {
    if (tokens === undefined) await renewed(login);
    else if (Date.now() >= renewAt) await refresh();
    return {
      Authorization: `Bearer ${tokens.accessToken}`,
      ...(profileId === undefined ? {} : { 'X-Profile-Id': profileId }),
      ...(synthetic ? { 'X-Synthetic': 'true' } : {}),
    };
  };
  /** Calls a path; a token that no longer works is renewed once. */
  const call = async (method, path, request = {}) => {
    const headers = await session();
    try {
      return await send(method, path, { ...request, headers });
    } catch (error) {
      if (error.statusCode !== 401) throw error;
      // Another call may have renewed it meanwhile.
      if (headers.Authorization === `Bearer ${tokens.accessToken}`) await refresh();
      return send(method, path, { ...request, headers: await session() });
    }
  };
  const read = (path, query = {}) => call('GET', `${path}?${new URLSearchParams(query)}`);

  /**
   * Sends a request until it has an answer. Reads, and writes with an idempotency key, are sent again after a lost connection, 429 and 5xx;
   * a key makes sure that nothing runs twice.
   */
  async function send(method, path, { body, headers = {}, key } = {}) {
    const isSafe = method === 'GET' || key !== undefined;
    for (let attempt = 1; ; attempt += 1) {
      const mayRepeat = attempt < attempts;
      try {
        const response = await fetch(baseUrl + path, {
          method,
          headers: {
            ...headers,
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(key === undefined ? {} : { 'X-Idempotency-Key': key }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const answer = await response.json();
        if (response.ok) return answer;
        const { status } = response;
        // 429 did nothing. 409 with Retry-After: the first request of the key is still under way.
        const wait = response.headers.get('retry-after');
        const passes = status === 429 || (isSafe && (status >= 500 || (status === 409 && wait !== null)));
        if (!passes || !mayRepeat) throw new ApiError(answer);
        await sleep(Math.max(Number(wait ?? 0) * 1_000, 200 * 2 ** attempt));
      } catch (error) {
        if (error instanceof ApiError || !isSafe || !mayRepeat) throw error;
        await sleep(200 * 2 ** attempt);
      }
    }
  }

  return {
    refresh,
    /** A token that is good for another minute at least. */
    accessToken: async () => {
      await session();
      return tokens.accessToken;
    },
    balances: async () => (await read('/v1/wallet/fetchBalance')).wallets,
    markets: async () => (await read('/v1/market/fetchMarkets')).markets,
    ticker: (symbol) => read('/v1/market/fetchTicker', { symbol }),
    orders: async (query) => (await read('/v1/orders/fetchOrders', query)).orders,
    /** Places an order at most once, however often it is sent: its own id is also the idempotency key. */
    createOrder: (order) => call('POST', '/v1/orders/createOrder', { body: order, key: order.clientOrderId }),
  };
}
