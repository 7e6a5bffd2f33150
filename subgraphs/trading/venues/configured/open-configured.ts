import type { Context } from '../../../../shared/kernel/context.js';
import type { KeyRing } from '../../../../shared/security/crypto.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { listCurrencies } from '../../markets/market.store.js';
import { bookCapital } from '../open-venues.js';
import { openCcxtVenue } from '../ccxt/ccxt-venue.js';
import { type Venue, type VenueFees, VenueUnknown, type PlaceResult, type Stop } from '../venue.js';
import { isInUse, listVenuesToOpen, markCapitalBooked, type SealedVenueRow, openCredentials } from './venue.store.js';
import type { Logger } from '../../../../shared/kernel/log.js';
import { createVenueListeners } from '../listeners.js';

/** Timeout of calls to a venue; what it then did is looked up. */
const timeoutMs = 10_000;

/** Opens venues as the database lists them now, without test systems, since real money is involved. Each connects when it is started, with as many attempts as it takes. */
export async function openConfiguredVenues(context: Context, keyRing: KeyRing): Promise<Venue[]> {
  const rows = await listVenuesToOpen(context);
  for (const { name, sandbox } of rows)
    if (sandbox)
      context.log.error(
        { venue: name },
        'A test system of an exchange is not connected in an installation with real money',
      );
  return rows
    .filter(({ sandbox }) => !sandbox)
    .map((row) =>
      createLateVenue({
        name: row.name,
        log: context.log,
        fees: feesOf(row),
        open: () => connect(context, keyRing, row),
        isInUse: () => isInUse(context, row.id),
      }),
    );
}

async function connect(context: Context, keyRing: KeyRing, row: SealedVenueRow): Promise<Venue> {
  const { name, exchange, symbols, sandbox, settings } = row;
  const venue = await openCcxtVenue({
    name,
    exchange,
    symbols,
    sandbox,
    settings,
    ...openCredentials(keyRing, row.credentials),
    timeoutMs,
    clock: context.clock,
    log: context.log,
  });
  await bookOnce(context, row, venue);
  return venue;
}

/** Runs before its first order: from then on, the house's balance there follows from the orders. */
async function bookOnce(context: Context, { id }: SealedVenueRow, venue: Venue): Promise<void> {
  const known = new Set((await listCurrencies(context)).map(({ code }) => code));
  const balances = await venue.balances();
  await inTransaction(context, async (tx) => {
    if (!(await markCapitalBooked(tx, id))) return;
    await bookCapital(
      tx,
      venue,
      balances.filter(({ currency }) => known.has(currency)),
    );
  });
}

function feesOf({ makerFee, takerFee }: SealedVenueRow): VenueFees | undefined {
  if (makerFee === null || takerFee === null) return undefined;
  return { maker: new Decimal(makerFee).dividedBy(100), taker: new Decimal(takerFee).dividedBy(100) };
}

export interface LateVenueOptions {
  readonly name: string;
  readonly log: Logger;
  readonly fees?: VenueFees | undefined;
  readonly open: () => Promise<Venue>;
  /** Whether new orders may go there. Called periodically; after a failure the previous result stays. */
  readonly isInUse: () => Promise<boolean>;
  /** Interval between attempts to connect, and between checks of whether it is in use. */
  readonly everyMs?: number;
}

/**
 * Creates a venue that exists at once and connects when it can, so that an exchange that is down when the program starts holds nothing up. Until then it
 * has no markets, and calls to it have unknown outcomes. One that is no longer in use shows no books and accepts no orders; earlier
 * orders are still looked up and cancelled.
 */
export function createLateVenue(options: LateVenueOptions): Venue {
  const { name, log, fees, open, isInUse, everyMs = 5_000 } = options;
  const { onBook, onTrade, onFill } = createVenueListeners(log, name);
  const stops: Stop[] = [];
  let connected: Venue | undefined;
  let inUse = true;
  let ended = false;
  let failure = 'it is connecting';
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();

  const connect = async () => {
    const venue = await open();
    stops.push(venue.onBook(onBook.tell), venue.onTrade(onTrade.tell), venue.onFill(onFill.tell));
    await venue.start();
    connected = venue;
    log.info({ venue: name, symbols: venue.markets().map(({ symbol }) => symbol) }, 'A venue is connected');
  };
  const look = async () => {
    try {
      inUse = await isInUse();
      if (connected === undefined) await connect();
    } catch (err) {
      failure = err instanceof Error ? err.message : String(err);
      log.error({ err, venue: name }, 'A venue could not be connected; this will be retried');
    }
    if (!ended) timer = setTimeout(next, everyMs).unref();
  };
  const next = () => {
    turn = look();
  };
  const require = (): Venue => {
    if (connected === undefined) throw new VenueUnknown(name, `it is not connected: ${failure}`);
    return connected;
  };
  return {
    name,
    synthetic: false,
    markets: () => connected?.markets() ?? [],
    balanceDecimals: () => connected?.balanceDecimals?.() ?? new Map(),
    fees: (symbol) => fees ?? require().fees(symbol),
    book: (symbol) => (inUse ? connected?.book(symbol) : undefined),
    onBook: onBook.add,
    onTrade: onTrade.add,
    onFill: onFill.add,
    place: (order) => (inUse && connected !== undefined ? connected.place(order) : Promise.resolve(notSent(inUse))),
    cancel: async (clientOrderId, symbol) => require().cancel(clientOrderId, symbol),
    lookUp: async (clientOrderId, symbol) => require().lookUp(clientOrderId, symbol),
    balances: async () => require().balances(),
    start: () => {
      ended = false;
      next();
      return Promise.resolve();
    },
    stop: async () => {
      ended = true;
      clearTimeout(timer);
      await turn;
      for (const stop of stops.splice(0)) stop();
      await connected?.stop();
      connected = undefined;
    },
  };
}

function notSent(inUse: boolean): PlaceResult {
  const message = inUse ? 'The venue is not connected yet' : 'The venue is retired';
  return { status: 'REJECTED', reason: 'VENUE_DOWN', message };
}
