import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';

/** The used part of ccxt's exchanges. With `number: String` all amounts are decimal text, in both directions. */
export interface CcxtClient {
  fetchImplementation: typeof fetch;
  readonly currencies: unknown;
  readonly has: Readonly<Record<string, unknown>>;
  setSandboxMode(enabled: boolean): void;
  loadMarkets(): Promise<unknown>;
  fetchOrderBook(symbol: string, limit: number): Promise<unknown>;
  fetchTrades(symbol: string, sinceMs: number | undefined, limit: number): Promise<unknown>;
  fetchMyTrades(symbol: string, sinceMs: number, limit: number): Promise<unknown>;
  /** Where `has.fetchOrderTrades`. */
  fetchOrderTrades(id: string, symbol: string, sinceMs: undefined, limit: number): Promise<unknown>;
  fetchBalance(): Promise<unknown>;
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: string,
    price: string | undefined,
    params: object,
  ): Promise<unknown>;
  cancelOrder(id: string, symbol: string, params: object): Promise<unknown>;
  fetchOrder(id: string, symbol: string, params: object): Promise<unknown>;
}

export interface CcxtOptions {
  readonly exchange: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly password?: string | undefined;
  /** Whether to use the exchange's own test system. */
  readonly sandbox?: boolean;
  readonly timeoutMs: number;
  /** Further settings of ccxt: `urls`, `has`, `options`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** How a call to an exchange failed, for `fateOf`. */
export interface CallError {
  readonly sent: boolean;
  readonly status: number | undefined;
  /** The last write request (not a GET), with the status of its response; undefined if none was sent. */
  readonly write: Write | undefined;
  /** ccxt's error class: a hint at the reason, never at the outcome. */
  readonly kind: string;
  readonly message: string;
  readonly cause: unknown;
}

export type CallResult =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: CallError };

/** Runs a call and reports its result by HTTP. Never rejects. */
export type Call = (work: () => Promise<unknown>) => Promise<CallResult>;

export interface Write {
  readonly status: number | undefined;
}

interface Sent {
  sent: boolean;
  status: number | undefined;
  write: Write | undefined;
}

interface Exchange {
  readonly client: CcxtClient;
  readonly call: Call;
}

const moduleForm = z.object({ default: z.record(z.string(), z.unknown()) });
const exchangeForm = z.custom<new (settings: object) => CcxtClient>((value) => typeof value === 'function');
/** ccxt takes 60 MB and half a second: it is imported when the first exchange is opened, by a name that no compiler resolves. */
const packageName = 'ccxt' as string;

/** @throws where ccxt is not installed (it is an optional dependency), or does not support the exchange */
export async function findExchange(exchange: string): Promise<new (settings: object) => CcxtClient> {
  const ccxt = moduleForm.parse(await importCcxt()).default;
  const found = exchangeForm.safeParse(Object.hasOwn(ccxt, exchange) ? ccxt[exchange] : undefined);
  if (!found.success) throw new Error(`ccxt knows no exchange "${exchange}"`);
  return found.data;
}

async function importCcxt(): Promise<unknown> {
  try {
    return await import(packageName);
  } catch (cause) {
    throw new Error('ccxt is not installed: run `npm install ccxt`', { cause });
  }
}

/** Opens a client that never repeats a request by itself and delays none. @throws as `findExchange` */
export async function openCcxtClient(options: CcxtOptions): Promise<Exchange> {
  const { exchange, settings, timeoutMs, apiKey, secret, password, sandbox = false } = options;
  const Client = await findExchange(exchange);
  const client = new Client({
    ...settings,
    apiKey,
    secret,
    ...(password === undefined ? {} : { password }),
    number: String,
    timeout: timeoutMs,
    enableRateLimit: false,
    options: { ...objectIn(settings, 'options'), maxRetriesOnFailure: 0 },
  });
  if (sandbox) client.setSandboxMode(true);
  const calls = new AsyncLocalStorage<Sent>();
  client.fetchImplementation = async (url, init) => {
    const known = calls.getStore();
    const isWrite = !['GET', 'HEAD'].includes(init?.method?.toUpperCase() ?? 'GET');
    const note = (status: number | undefined) => {
      if (known === undefined) return;
      Object.assign(known, { sent: true, status, ...(isWrite ? { write: { status } } : {}) });
    };
    note(undefined);
    const response = await fetch(url, { ...init, redirect: 'error' });
    note(response.status);
    return response;
  };
  const call: Call = (work) => {
    const known: Sent = { sent: false, status: undefined, write: undefined };
    return calls.run(known, async (): Promise<CallResult> => {
      try {
        return { ok: true, value: await work() };
      } catch (cause) {
        const [kind, message] = cause instanceof Error ? [cause.constructor.name, cause.message] : ['', String(cause)];
        return { ok: false, error: { ...known, kind, message, cause } };
      }
    });
  };
  return { client, call };
}

function objectIn(settings: CcxtOptions['settings'], name: string): object {
  const value = settings?.[name];
  return typeof value === 'object' && value !== null ? value : {};
}
