import { ApiError, type ErrorDetail } from '../../../shared/kernel/errors.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import type { Graph } from '../../graph/graph.js';
import type { Prepared } from '../../graph/operation.js';
import type { ChannelChoice } from './read-frame.js';

type Kind = 'ticker' | 'depth' | 'orders' | 'balance';

export interface Channel {
  readonly kind: Kind;
  readonly key: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly variables: Variables;
  /** Whether all readers get the same frames, and only the latest of them. */
  readonly shared: boolean;
}

const event = 'kind eventId timestamp';
const level = '{ price amount }';
const order = `{ orderId clientOrderId symbol side type timeInForce postOnly status reason amount quoteAmount price filledAmount averagePrice
  fee feeCurrency expiresAt createdAt filledAt }`;

/** GraphQL subscription of each channel. It selects all that a frame contains, in the order of its members. */
const documents: Readonly<Record<Kind, string>> = {
  ticker: `subscription ticker($symbol: String!, $synthetic: Boolean!) {
    event: ticker(symbol: $symbol, synthetic: $synthetic) {
      ${event} data: ticker { symbol bid ask last volume24h change24h timestamp }
    }
  }`,
  depth: `subscription depth($symbol: String!, $levels: Int!, $synthetic: Boolean!) {
    event: depth(symbol: $symbol, levels: $levels, synthetic: $synthetic) {
      ${event} data: depth { symbol bids ${level} asks ${level} timestamp }
    }
  }`,
  orders: `subscription orders($profileId: ID, $synthetic: Boolean!, $lastEventId: ID) {
    event: orderUpdates(profileId: $profileId, synthetic: $synthetic, lastEventId: $lastEventId) {
      ${event} data: order ${order} orders ${order}
    }
  }`,
  balance: `subscription balance($profileId: ID, $synthetic: Boolean!, $lastEventId: ID) {
    event: balanceUpdates(profileId: $profileId, synthetic: $synthetic, lastEventId: $lastEventId) {
      ${event} wallets: balances { currency available locked total }
    }
  }`,
};

/** Plans the subscription of every channel, once. @throws {ApiError} BAD_REQUEST when the graph does not have them */
export function prepareChannels(graph: Graph): Readonly<Record<Kind, Prepared>> {
  const { ticker, depth, orders, balance } = documents;
  return {
    ticker: graph.prepare(ticker),
    depth: graph.prepare(depth),
    orders: graph.prepare(orders),
    balance: graph.prepare(balance),
  };
}

const kinds: Readonly<Record<string, Kind>> = {
  ticker: 'ticker',
  watchTicker: 'ticker',
  watchTickers: 'ticker',
  depth: 'depth',
  orders: 'orders',
  watchOrders: 'orders',
  balance: 'balance',
  watchBalance: 'balance',
};
/** Channel names that take their markets from `symbol` or `symbols`; the others contain the market. */
const watchNames: ReadonlySet<string> = new Set(['watchTicker', 'watchTickers']);
const symbolForm = /^[A-Z0-9]{2,12}\/[A-Z0-9]{2,12}$/;
const defaultLevels = 10;
const maxLevels = 20;

/** Returns the channels that a frame is about, at least one. @throws {ApiError} INVALID_CHANNEL with every error */
export function channelsOf(choice: ChannelChoice): readonly Channel[] {
  const at = choice.channel.indexOf(':');
  const name = at === -1 ? choice.channel : choice.channel.slice(0, at);
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) throw invalid([{ path: 'channel', message: 'is not the name of a channel' }]);
  const synthetic = choice.synthetic === true;
  if (kind === 'orders' || kind === 'balance') return [walletChannel(kind, choice, synthetic)];
  return symbolsOf(choice, name, at === -1 ? undefined : choice.channel.slice(at + 1)).map((symbol) =>
    marketChannel(kind, symbol, synthetic, choice),
  );
}

function walletChannel(kind: 'orders' | 'balance', choice: ChannelChoice, synthetic: boolean): Channel {
  const { profileId = null } = choice;
  const details: ErrorDetail[] = [];
  if (choice.channel.includes(':')) details.push({ path: 'channel', message: `must be ${kind}: it has no market` });
  if (choice.symbol != null) details.push({ path: 'symbol', message: `is not for ${kind}` });
  if (choice.symbols != null) details.push({ path: 'symbols', message: `is not for ${kind}` });
  if (details.length > 0) throw invalid(details);
  const labels = { channel: kind, ...(profileId === null ? {} : { profileId }), ...(synthetic ? { synthetic } : {}) };
  return { kind, key: JSON.stringify(labels), labels, variables: { profileId, synthetic }, shared: false };
}

function marketChannel(
  kind: 'ticker' | 'depth',
  symbol: string,
  synthetic: boolean,
  { levels }: ChannelChoice,
): Channel {
  const labels = { channel: `${kind}:${symbol}`, ...(synthetic ? { synthetic } : {}) };
  const channel = { kind, key: JSON.stringify(labels), labels, shared: true };
  if (kind === 'ticker') return { ...channel, variables: { symbol, synthetic } };
  const most = levels ?? defaultLevels;
  if (most < 1 || most > maxLevels) throw invalid([{ path: 'levels', message: `must be from 1 to ${maxLevels}` }]);
  return { ...channel, variables: { symbol, levels: most, synthetic } };
}

function symbolsOf({ symbol, symbols }: ChannelChoice, name: string, named: string | undefined): readonly string[] {
  const listed = watchNames.has(name) ? [...(symbols ?? []), ...(symbol == null ? [] : [symbol])] : [];
  const all = [...new Set(named === undefined ? listed : [named, ...listed])];
  if (all.length === 0) throw invalid([{ path: 'symbol', message: 'is missing: name a market, as BTC/BRL' }]);
  const wrong = all.filter((one) => !symbolForm.test(one));
  if (wrong.length === 0) return all;
  throw invalid(wrong.map((one) => ({ path: 'symbol', message: `is not a market, as BTC/BRL: ${one}` })));
}

function invalid(details: readonly ErrorDetail[]): ApiError {
  return new ApiError('INVALID_CHANNEL', { details });
}
