import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

/** What is used of the example's client; it is plain JavaScript. */
interface Client {
  readonly balances: () => Promise<unknown>;
  readonly accessToken: () => Promise<string>;
}
interface Clients {
  readonly createClient: (options: { baseUrl: string; apiKey: string; secretKey: string }) => Client;
}

const clients = new URL('../../examples/trading-bot/client.mjs', import.meta.url);

let server: Server;
let sent: string[];

// Its logins are due at once to be refreshed; a refresh token that is used twice ends all of them, as at the house.
beforeEach(async () => {
  sent = [];
  let current = 0;
  let isEnded = false;
  const tokens = (expiresIn: number) => ({ accessToken: `a${current}`, refreshToken: `r${current}`, expiresIn });
  server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const respond = async () => {
      const path = request.url?.split('?')[0] ?? '';
      sent.push(path);
      if (path === '/v1/auth/login') return answer(200, tokens(60));
      if (path !== '/v1/auth/refresh') {
        const isGood = !isEnded && request.headers.authorization === `Bearer a${current}`;
        return answer(isGood ? 200 : 401, isGood ? { wallets: [] } : { statusCode: 401, message: 'Unauthorized' });
      }
      const { refreshToken } = (await json(request)) as { refreshToken: string };
      isEnded ||= refreshToken !== `r${current}`;
      current += 1;
      return answer(isEnded ? 401 : 200, isEnded ? { statusCode: 401, message: 'Unauthorized' } : tokens(3_600));
    };
    void respond();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test('the client of the example logs in once and refreshes once for all calls at the same time', async () => {
  const { createClient } = (await import(clients.href)) as Clients;
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'a', secretKey: 'b' });
  await Promise.all([client.accessToken(), client.accessToken()]);
  expect(sent).toEqual(['/v1/auth/login']);
  await Promise.all([client.balances(), client.balances(), client.accessToken(), client.balances()]);
  expect(sent.slice(1).sort()).toEqual([
    '/v1/auth/refresh',
    ...Array.from({ length: 3 }, () => '/v1/wallet/fetchBalance'),
  ]);
});
