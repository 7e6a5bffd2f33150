import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../shared/kernel/ids.js';
import { random, randomInt } from '../kit/random.js';
import { until } from '../kit/until.js';
import type { Bank, KillPlatform } from './kill-kit.js';

/** A request that changes something. Orders and withdrawals of a wallet have an amount each that no other has. */
export interface Act {
  readonly kind: 'order' | 'cancel' | 'quote' | 'withdraw';
  readonly bank: Bank;
  readonly wallet: string;
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: it cannot be repeated. */
  readonly key: string | undefined;
  result: Result | undefined;
}

export interface Result {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Clients of a program that is killed: each sends one request after the other, and notes what it was told. */
export type Clients = ReturnType<typeof createClients>;

interface Sending {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const connections = 10;
/** Longer than any lease of a request that was cut short. */
const repeatWithinMs = 60_000;

/** Whether a response says what became of a request: not so where the program failed, or is busy with the same one. */
function isResult({ status, body }: Result): boolean {
  return status < 500 && status !== 429 && !String(body['message']).includes('still running');
}

export function createClients(platform: KillPlatform, banks: readonly Bank[]) {
  const acts: Act[] = [];
  const underWay = new Set<Act>();
  const tokens = new Map<string, string>();
  let running = false;
  let lanes: Promise<void>[] = [];

  const send = async (method: string, path: string, { body, headers = {} }: Sending): Promise<Result | undefined> => {
    if (platform.url === undefined) return undefined;
    try {
      const response = await fetch(`${platform.url}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(8_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Result['body'] };
    } catch {
      return undefined;
    }
  };
  const ask = async (bank: Bank, method: string, path: string, { body, headers = {} }: Sending = {}) => {
    const at = `${platform.url ?? ''} ${bank.wallets.real}`;
    let token = tokens.get(at);
    if (token === undefined) {
      const { apiKey, secretKey } = bank.trader.credential;
      const login = await send('POST', '/v1/auth/login', { body: { apiKey, secretKey } });
      if (login?.status !== 200) return undefined;
      token = String(login.body['accessToken']);
      tokens.set(at, token);
    }
    const sending = {
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    };
    return send(method, path, sending);
  };
  const attempt = async (act: Act): Promise<Result | undefined> => {
    const key = act.key === undefined ? {} : { 'x-idempotency-key': act.key };
    const result = await ask(act.bank, 'POST', act.path, { body: act.body, headers: { ...act.headers, ...key } });
    return result !== undefined && isResult(result) ? result : undefined;
  };
  const run = async (act: Act): Promise<Act> => {
    acts.push(act);
    underWay.add(act);
    act.result = await attempt(act);
    underWay.delete(act);
    return act;
  };
  const next = actMaker(platform, acts);
  const lane = async () => {
    while (running) {
      if (platform.url === undefined) {
        await sleep(20);
        continue;
      }
      const bank = banks[randomInt(banks.length)];
      if (bank === undefined) return;
      const made = await next(bank, ask);
      if (made === undefined || (await run(made)).result === undefined) await sleep(200);
    }
  };
  return {
    acts,
    /** What was sent and is not answered. */
    underWay,
    ask,
    start: () => {
      running = true;
      lanes = Array.from({ length: connections }, lane);
    },
    stop: async () => {
      running = false;
      await Promise.all(lanes);
    },
    /** Sends what has a key again until there is a result, and returns that. */
    repeat: (act: Act) =>
      until(`the result of the request ${act.key ?? ''} (${act.kind})`, () => attempt(act), { within: repeatWithinMs }),
  };
}

/** Makes the next request of a company: orders of all kinds, cancels, quotes and withdrawals. */
function actMaker({ exchange }: KillPlatform, acts: readonly Act[]) {
  let count = 0;
  /** An amount that no other request has. */
  const unique = (least: number, decimals: number) => (least + (count += 1) * 10 ** -decimals).toFixed(decimals);
  const priceNow = (): string => {
    const book = exchange.exchange.book('BTC/BRL');
    const [bid, ask] = [book?.bids[0]?.price, book?.asks[0]?.price];
    if (bid === undefined || ask === undefined) throw new Error('The book is empty');
    return bid.plus(ask).dividedBy(2).toFixed(2);
  };
  const anySide = () => (random() < 0.5 ? 'BUY' : 'SELL');

  return async (bank: Bank, ask: Clients['ask']): Promise<Act | undefined> => {
    const isSynthetic = random() < 0.15;
    const base = {
      bank,
      wallet: isSynthetic ? bank.wallets.synthetic : bank.wallets.real,
      headers: isSynthetic ? { 'x-synthetic': 'true' } : {},
      key: newId(),
      result: undefined,
    };
    const order = { symbol: 'BTC/BRL', side: anySide() };
    const orders = { ...base, kind: 'order', path: '/v1/orders/createOrder' } as const;
    const chance = random();
    if (chance < 0.35) return { ...orders, body: { ...order, type: 'MARKET', amount: unique(0.001, 5) } };
    if (chance < 0.45)
      return { ...orders, key: undefined, body: { ...order, type: 'MARKET', amount: unique(0.001, 5) } };
    if (chance < 0.7)
      return { ...orders, body: { ...order, type: 'LIMIT', price: priceNow(), amount: unique(0.001, 5) } };
    if (chance < 0.8) {
      const orderId = openOrderOf(acts, base.wallet);
      if (orderId === undefined) return undefined;
      return { ...base, kind: 'cancel', path: '/v1/orders/cancelOrder', body: { orderId } };
    }
    if (chance < 0.9) {
      const body = { ...order, amount: unique(0.001, 5) };
      const quote = await ask(bank, 'POST', '/v1/orders/rfq/createQuote', { body, headers: base.headers });
      const quoteId = quote?.body['quoteId'];
      if (typeof quoteId !== 'string') return undefined;
      return { ...base, kind: 'quote', path: '/v1/orders/rfq/executeQuote', body: { quoteId } };
    }
    const body = { asset: 'BRL', amount: unique(10, 2), address: 'maria@cliente.example', network: 'pix' };
    return { ...base, kind: 'withdraw', path: '/v1/wallet/withdraw', body };
  };
}

/** One of the latest orders of a wallet that was open when it was answered. */
function openOrderOf(acts: readonly Act[], wallet: string): string | undefined {
  const open = acts
    .slice(-200)
    .filter((act) => act.wallet === wallet && act.kind === 'order' && act.result?.body['status'] === 'PENDING');
  const chosen = open[randomInt(open.length)]?.result?.body['orderId'];
  return typeof chosen === 'string' ? chosen : undefined;
}
