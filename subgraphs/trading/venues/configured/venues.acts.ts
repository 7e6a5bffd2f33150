import { z } from 'zod';
import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import type { KeyRing } from '../../../../shared/security/crypto.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { ApiError, refuse, type ErrorDetail } from '../../../../shared/kernel/errors.js';
import { newId } from '../../../../shared/kernel/ids.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { messageOf } from '../../../../shared/kernel/thrown.js';
import { isDecimal } from '../../format-amount.js';
import { listMarketRows } from '../../markets/market.store.js';
import { findExchange } from '../ccxt/client.js';
import { insertVenue, type ConfiguredVenueRow, markRetired, sealCredentials } from './venue.store.js';
import type { TradingVenueInput } from './venue.type.js';

type VenueInput = Shape<TradingVenueInput>;

const url = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text));

/** The settings of ccxt that an operator may set. All others, including secrets, have a field of their own or are set by the program. */
const settingsForm = z.strictObject({
  hostname: z.string().max(200).optional(),
  urls: z.strictObject({ api: z.union([url, z.record(z.string(), url)]) }).optional(),
  has: z.record(z.string(), z.boolean()).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** Parses the text of settings: none if it is missing, undefined if it is invalid. */
function settingsOf(text: string | null | undefined): z.infer<typeof settingsForm> | undefined {
  if (text == null) return {};
  try {
    return settingsForm.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function venueIssues(input: VenueInput, markets: ReadonlySet<string>): ErrorDetail[] {
  const { name, exchange, symbols, apiKey, secret, password, makerFee, takerFee, settings } = input;
  const issues: ErrorDetail[] = [];
  const check = (isRight: boolean, path: string, message: string) => {
    if (!isRight) issues.push({ path, message });
  };
  check(
    /^[a-z][a-z0-9-]{1,29}$/.test(name),
    'name',
    'must have 2 to 30 lower-case letters, digits and hyphens, beginning with a letter',
  );
  check(!/^(aurora|boreal)(-|$)/.test(name), 'name', 'is the name of a simulated exchange');
  check(/^[a-z0-9_]{1,40}$/.test(exchange), 'exchange', 'must be the id of an exchange in ccxt, such as binance');
  check(symbols.length >= 1 && symbols.length <= 50, 'symbols', 'must have 1 to 50 markets');
  check(new Set(symbols).size === symbols.length, 'symbols', 'must contain each market only once');
  for (const [index, symbol] of symbols.entries())
    check(markets.has(symbol), `symbols[${index}]`, 'is not a market: add it with addMarket first');
  check(isSecret(apiKey), 'apiKey', 'must have 1 to 1000 characters, without spaces at the beginning or the end');
  check(isSecret(secret), 'secret', 'must have 1 to 10000 characters, without spaces at the beginning or the end');
  check(
    password == null || isSecret(password),
    'password',
    'must have 1 to 10000 characters, without spaces at the beginning or the end',
  );
  check((makerFee == null) === (takerFee == null), 'takerFee', 'must be given together with makerFee, or both omitted');
  check(isFee(makerFee), 'makerFee', 'must be from 0 to 10, in percent, with at most 6 decimals');
  check(isFee(takerFee), 'takerFee', 'must be from 0 to 10, in percent, with at most 6 decimals');
  check(
    settingsOf(settings) !== undefined,
    'settings',
    'must be a JSON object with only hostname, urls.api, has and options',
  );
  return issues;
}

function isSecret(text: string): boolean {
  return text !== '' && text.trim() === text && !text.includes('\0');
}

function isFee(fee: string | null | undefined): boolean {
  return fee == null || (isDecimal(fee, 6) && new Decimal(fee).lessThanOrEqualTo(10));
}

export interface AddVenueParts {
  readonly keyRing: KeyRing;
  /** Whether real money is involved: clients' orders are then routed to the added venue. */
  readonly isReal: boolean;
}

const noTestSystem =
  "must be false: fills on a test system of an exchange are not real, and clients' orders would be routed to it";

/** Processes connect at their next start. Credentials are encrypted, and never shown. @throws {ApiError} BAD_REQUEST; UNPROCESSABLE for an unsupported exchange or a test system; CONFLICT */
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

/** Retires a venue within seconds and for good. Earlier orders are looked up and cancelled there as long as any is open. @throws {ApiError} NOT_FOUND if no venue in use has the name */
export async function retireVenue(context: Context, name: string): Promise<ConfiguredVenueRow> {
  return inTransaction(context, async (tx) => {
    const after = await markRetired(tx, name);
    if (after === undefined) throw new ApiError('NOT_FOUND', { message: `There is no venue ${name} in use` });
    const before = { ...after, retiredAt: null };
    await recordAudit(tx, { action: 'retireTradingVenue', subject: { type: 'tradingVenue', id: name }, before, after });
    return after;
  });
}
