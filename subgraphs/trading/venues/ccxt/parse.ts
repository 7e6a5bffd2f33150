import { z } from 'zod';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { Level, VenueFees, VenueMarket, VenueOrderState } from '../venue.js';

// An exchange's data is untrusted input: everything that does not have these forms is rejected.

const decimal = z
  .string()
  .regex(/^-?\d{1,40}(\.\d{1,40})?(e-?\d{1,2})?$/i)
  .transform((text) => new Decimal(text));
const positive = decimal.refine((value) => value.greaterThan(0));

/** ccxt passes on fees and books as numbers: the shortest text of a double is the exchange's text, up to 15 digits. Booked values come as text. */
const shortDecimal = z.union([decimal, z.number().transform((value) => new Decimal(String(value)))]);

/** 10 to the power of minus some decimals; other steps cannot be expressed in decimals. */
const step = positive
  .refine((value) => new Decimal(10).pow(-value.decimalPlaces()).equals(value))
  .transform((value) => value.decimalPlaces());

const marketForm = z.object({
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  maker: shortDecimal,
  taker: shortDecimal,
  precision: z.object({ amount: step, price: step }),
  limits: z.object({
    amount: z.object({ min: decimal.nullish() }),
    cost: z.object({ min: decimal.nullish() }).nullish(),
  }),
});

export interface CcxtMarket {
  readonly market: VenueMarket;
  readonly fees: VenueFees;
}

/** Parses a market of an exchange; undefined if its steps are not powers of ten, or its fees are unknown. */
export function parseMarket(value: unknown): CcxtMarket | undefined {
  const parsed = marketForm.safeParse(value);
  if (!parsed.success) return undefined;
  const { symbol, base, quote, maker, taker, precision, limits } = parsed.data;
  const lot = new Decimal(10).pow(-precision.amount);
  const minAmount = Decimal.max(limits.amount.min ?? lot, lot);
  const decimals = { priceDecimals: precision.price, amountDecimals: precision.amount };
  const minNotional = limits.cost?.min ?? undefined;
  const cost = minNotional?.greaterThan(0) === true ? { minNotional } : {};
  return { market: { symbol, base, quote, ...decimals, minAmount, ...cost }, fees: { maker, taker } };
}

const currenciesForm = z.record(z.string(), z.object({ precision: step.optional().catch(undefined) })).catch({});

/** Returns the decimals in which an exchange keeps currencies, without those it does not report, or not in powers of ten. */
export function parseCurrencyDecimals(value: unknown): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(currenciesForm.parse(value)).flatMap(([code, { precision }]) =>
      precision === undefined ? [] : [[code, precision] as const],
    ),
  );
}

const levels = z.array(z.tuple([shortDecimal, shortDecimal], z.unknown()));
const bookForm = z.object({ bids: levels, asks: levels });

export function parseBook(value: unknown): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
  const { bids, asks } = bookForm.parse(value);
  const toLevels = (side: typeof bids) =>
    side
      .map(([price, amount]) => ({ price, amount }))
      .filter(({ price, amount }) => price.greaterThan(0) && amount.greaterThan(0));
  return { bids: toLevels(bids), asks: toLevels(asks) };
}

const tradeForm = z.object({
  id: z.string().min(1).max(100),
  order: z.string().nullish(),
  side: z.enum(['buy', 'sell']).nullish(),
  price: positive,
  amount: positive,
  timestamp: z.number().int(),
  takerOrMaker: z.enum(['taker', 'maker']).nullish(),
  fee: z.object({ cost: decimal, currency: z.string() }).nullish().catch(undefined),
});
export type CcxtTrade = z.output<typeof tradeForm>;

export function parseTrades(value: unknown): readonly CcxtTrade[] {
  return z.array(tradeForm).max(1_000).parse(value);
}

const states = {
  open: 'OPEN',
  closed: 'FILLED',
  canceled: 'CANCELLED',
  expired: 'CANCELLED',
  rejected: 'REJECTED',
} as const;
const orderForm = z.object({
  id: z.string().min(1),
  clientOrderId: z.string().min(1),
  status: z
    .enum(['open', 'closed', 'canceled', 'expired', 'rejected'])
    .transform((status): VenueOrderState => states[status]),
  filled: decimal,
  timestamp: z.number().int().nullish(),
});
export type CcxtOrder = z.output<typeof orderForm>;

export function parseOrder(value: unknown): CcxtOrder {
  return orderForm.parse(value);
}

const balancesForm = z.object({ free: z.record(z.string(), decimal), used: z.record(z.string(), decimal) });

export function parseBalances(value: unknown) {
  const { free, used } = balancesForm.parse(value);
  const zero = new Decimal(0);
  return Object.entries(free).map(([currency, available]) => ({ currency, available, locked: used[currency] ?? zero }));
}
