import { recordAudit } from '../../../../shared/audit/record.js';
import type { Context } from '../../../../shared/context.js';
import type { KeyRing } from '../../../../shared/crypto.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../../shared/errors.js';
import { newId } from '../../../../shared/ids.js';
import { messageOf } from '../../../../shared/thrown.js';
import { listMarketRows } from '../../markets/market.store.js';
import { findExchange } from '../ccxt/client.js';
import { sealCredentials } from './credentials.js';
import { settingsOf, venueIssues, type VenueInput } from './venue-input.js';
import { insertVenue, type ConfiguredVenueRow } from './venue.store.js';

export interface AddVenueParts {
  readonly keyRing: KeyRing;
  /** Whether real money is involved: clients' orders are then routed to the added venue. */
  readonly isReal: boolean;
}

const noTestSystem =
  "must be false: fills on a test system of an exchange are not real, and clients' orders would be routed to it";

/**
 * Adds an exchange to which orders are routed. Processes connect to it at their next start. Its credentials are encrypted, and never shown.
 * @throws {ApiError} BAD_REQUEST with every error; UNPROCESSABLE for an exchange that ccxt does not support, or without ccxt, and for a test system
 * where real money is involved; CONFLICT for a name that was used before
 */
export async function addVenue(
  context: Context,
  { keyRing, isReal }: AddVenueParts,
  input: VenueInput,
): Promise<ConfiguredVenueRow> {
  const markets = new Set((await listMarketRows(context)).map(({ symbol }) => symbol));
  refuse('BAD_REQUEST', venueIssues(input, markets));
  if (input.sandbox && isReal) refuse('UNPROCESSABLE', [{ path: 'sandbox', message: noTestSystem }]);
  await requireExchange(input.exchange);
  const { name, exchange, symbols, apiKey, secret, password, sandbox, makerFee, takerFee } = input;
  return inTransaction(context, async (tx) => {
    const createdAt = tx.clock.now();
    const row: ConfiguredVenueRow = {
      id: newId(createdAt.getTime()),
      name,
      exchange,
      symbols,
      sandbox,
      makerFee: makerFee ?? null,
      takerFee: takerFee ?? null,
      settings: settingsOf(input.settings) ?? {},
      createdAt,
      retiredAt: null,
    };
    const credentials = sealCredentials(keyRing, { apiKey, secret, ...(password == null ? {} : { password }) });
    if (!(await insertVenue(tx, { ...row, credentials })))
      throw new ApiError('CONFLICT', { message: `The name ${name} was already used for a venue: choose another one` });
    await recordAudit(tx, { action: 'addTradingVenue', subject: { type: 'tradingVenue', id: name }, after: row });
    return row;
  });
}

async function requireExchange(exchange: string): Promise<void> {
  try {
    await findExchange(exchange);
  } catch (error) {
    throw new ApiError('UNPROCESSABLE', { message: messageOf(error) });
  }
}
