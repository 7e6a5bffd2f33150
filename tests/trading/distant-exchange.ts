import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../shared/kernel/clock.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { createSimulatedWorld, simulatedMarkets } from '../../subgraphs/trading/venues/simulated/world.js';
import { VenueUnknown, type Fill, type VenueOrderRequest } from '../../subgraphs/trading/venues/venue.js';
import { quietLog } from '../kit/context.js';
import { random } from '../kit/random.js';
import type { Json } from './distant-venue.js';

/** An exchange that outlives the programs that trade on it, and remembers what they asked of it. */

/** One request of twelve is lost, one response of twelve too; the others take up to this long on each way. */
const lostShare = 1 / 12;
const mostDelayMs = 60;

export async function openDistantExchange() {
  const world = createSimulatedWorld({
    synthetic: false,
    clock: systemClock,
    log: quietLog,
    epoch: 'distant',
    tickMs: 100,
  });
  const exchange = world.find(({ name }) => name === 'boreal');
  if (exchange === undefined) throw new Error('There is no exchange boreal');
  const [sent, placed, answered] = [new Map<string, number>(), new Set<string>(), new Set<string>()];
  const fills: Fill[] = [];
  exchange.onFill((fill) => fills.push(fill));
  let isCalm = false;
  const delay = () => sleep(isCalm ? 0 : random() * mostDelayMs);
  const isLost = () => !isCalm && random() < lostShare;

  const place = async (order: Json<VenueOrderRequest>, response: ServerResponse) => {
    const { amount, price, ...others } = order;
    const { clientOrderId } = others;
    sent.set(clientOrderId, (sent.get(clientOrderId) ?? 0) + 1);
    const [requestIsLost, responseIsLost] = [isLost(), isLost()];
    await delay();
    if (requestIsLost) return;
    const limit = price === undefined ? {} : { price: new Decimal(price) };
    const result = await exchange.place({ ...others, amount: new Decimal(amount), ...limit });
    placed.add(clientOrderId);
    await delay();
    if (responseIsLost) return;
    answered.add(clientOrderId);
    response.end(JSON.stringify(result));
  };
  const answer = async (path: string | undefined, body: unknown, response: ServerResponse) => {
    if (path === '/place') return place(body as Json<VenueOrderRequest>, response);
    const { clientOrderId, from } = body as { clientOrderId: string; from: number };
    const says: Readonly<Record<string, () => unknown>> = {
      '/cancel': () => exchange.cancel(clientOrderId, 'BTC/BRL'),
      '/lookUp': () => exchange.lookUp(clientOrderId, 'BTC/BRL'),
      '/balances': () => exchange.balances(),
      '/news': () => ({
        books: simulatedMarkets.flatMap(({ symbol }) => exchange.book(symbol) ?? []),
        fills: fills.slice(from),
        next: fills.length,
      }),
    };
    response.end(JSON.stringify(await says[path ?? '']?.()));
  };
  const server = createServer((request, response) => {
    json(request)
      .then((body) => answer(request.url, body, response))
      .catch((error: unknown) => {
        response.writeHead(error instanceof VenueUnknown ? 503 : 500).end();
      });
  });
  await exchange.start();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchange,
    /** How often each order was sent, by its id. */
    sent,
    /** The orders that were executed, or rest, or were refused; and those whose sender was told so. */
    placed,
    answered,
    /** Every fill of the house's orders, in the order in which they happened. */
    fills,
    /** Nothing is lost or late any more. */
    calm: () => {
      isCalm = true;
    },
    close: async () => {
      await exchange.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
