import type { Context } from '../../../../shared/context.js';
import type { KeyRing } from '../../../../shared/crypto.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/decimal.js';
import { listCurrencies } from '../../markets/currency.store.js';
import { bookCapital } from '../capital.js';
import { openCcxtVenue } from '../ccxt/ccxt-venue.js';
import type { Venue, VenueFees } from '../venue.js';
import { openCredentials } from './credentials.js';
import { createLateVenue } from './late-venue.js';
import { isInUse, listVenuesToOpen, markCapitalBooked, type SealedVenueRow } from './venue.store.js';

/** Timeout of calls to a venue; what it then did is looked up. */
const timeoutMs = 10_000;

/**
 * Opens the venues that the operator added, as the database lists them now, without test systems of exchanges, since real money is involved. Each
 * connects when it is started, with as many attempts as it takes.
 */
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
