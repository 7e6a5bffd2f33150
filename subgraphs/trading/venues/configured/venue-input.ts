import { z } from 'zod';
import { Decimal } from '../../../../shared/decimal.js';
import type { ErrorDetail } from '../../../../shared/errors.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import { isDecimal } from '../../access/decimal-text.js';
import type { TradingVenueInput } from './venue.type.js';

/** An operator's input for a venue. */
export type VenueInput = Shape<TradingVenueInput>;

const url = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text));

/** The settings of ccxt that an operator may set. All others, including secrets, have a field of their own or are set by the program. */
const settingsForm = z.strictObject({
  hostname: z.string().max(200).optional(),
  urls: z.strictObject({ api: z.union([url, z.record(z.string(), url)]) }).optional(),
  has: z.record(z.string(), z.boolean()).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** Parses the text of settings: none if it is missing, undefined if it is invalid. */
export function settingsOf(text: string | null | undefined): z.infer<typeof settingsForm> | undefined {
  if (text == null) return {};
  try {
    return settingsForm.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns all errors of an operator's input for a venue. @param markets the symbols of all markets */
export function venueIssues(input: VenueInput, markets: ReadonlySet<string>): ErrorDetail[] {
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
