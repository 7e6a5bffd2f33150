import type { AddressKind } from './addresses/check-address.js';
import type { Config } from '../../../shared/kernel/config.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { MarketData } from '../markets/market-data.js';

/** A network for deposits and withdrawals of a currency. Amounts are decimal text in that currency. */
export interface Network {
  readonly currency: string;
  /** The name that callers use: `ethereum`, `pix`. */
  readonly name: string;
  readonly addressKind: AddressKind;
  /** The number after which a deposit is credited, and a withdrawal complete. */
  readonly confirmations: number;
  /** The client's fee for a withdrawal, in addition to its amount. */
  readonly fee: string;
  readonly minimum: string;
}

/** Every network of every currency; the first of a currency is its default. */
export const networks: readonly Network[] = [
  { currency: 'BRL', name: 'pix', addressKind: 'PIX', confirmations: 1, fee: '0', minimum: '1' },
  { currency: 'BRL', name: 'ted', addressKind: 'BANK_ACCOUNT', confirmations: 1, fee: '8.50', minimum: '10' },
  { currency: 'BTC', name: 'bitcoin', addressKind: 'BITCOIN', confirmations: 3, fee: '0.0001', minimum: '0.0005' },
  { currency: 'ETH', name: 'ethereum', addressKind: 'EVM', confirmations: 12, fee: '0.0015', minimum: '0.005' },
  { currency: 'USDT', name: 'ethereum', addressKind: 'EVM', confirmations: 12, fee: '4', minimum: '10' },
  { currency: 'USDT', name: 'polygon', addressKind: 'EVM', confirmations: 64, fee: '0.5', minimum: '5' },
];

export const transferCurrencies: readonly string[] = [...new Set(networks.map(({ currency }) => currency))];

/** Returns the networks of a currency, its default first; none if it has neither deposits nor withdrawals. */
export function networksOf(currency: string): readonly Network[] {
  return networks.filter((network) => network.currency === currency);
}

/** Finds a network of a currency, by default its first; undefined if it has no such network. */
export function findNetwork(currency: string, name: string | null | undefined): Network | undefined {
  const own = networksOf(currency);
  return name == null ? own[0] : own.find((network) => network.name === name);
}

/** The house's rules for withdrawals. Amounts in BRL. */
export interface TransferRules {
  /** Two operators must approve a withdrawal if it raises the company's unapproved withdrawals of 24 hours above this value, or if no price is known. */
  readonly approvalAbove: Decimal;
  /** Above this value a withdrawal to a chain must name its beneficiary; undefined if none must. */
  readonly travelRuleAbove: Decimal | undefined;
  /** How long a new address of a company's list waits before it may be used. */
  readonly coolingMs: number;
}

/** How many different operators must approve. */
export const approvers = 2;

/** Returns the rules of a configuration: amounts in whole BRL. */
export function toTransferRules({ approvalAbove, travelRuleAbove, coolingMs }: Config['transfers']): TransferRules {
  const bound = travelRuleAbove === undefined ? undefined : new Decimal(travelRuleAbove);
  return { approvalAbove: new Decimal(approvalAbove), travelRuleAbove: bound, coolingMs };
}

/** Returns the present value of an amount in BRL; undefined where no price is known. */
export type ValueInBrl = (
  context: Context,
  amount: { readonly currency: string; readonly amount: Decimal; readonly synthetic: boolean },
) => Promise<Decimal | undefined>;

/** Values amounts by the market of the currency against BRL: its ask price, or its last price. */
export function valueByMarkets(markets: Pick<MarketData, 'isTraded' | 'ticker'>): ValueInBrl {
  return (_context, { currency, amount, synthetic }) => {
    if (currency === 'BRL') return Promise.resolve(amount);
    const symbol = `${currency}/BRL`;
    if (!markets.isTraded(synthetic, symbol)) return Promise.resolve(undefined);
    const { ask, last, bid } = markets.ticker(synthetic, symbol);
    const price = ask ?? last ?? bid;
    return Promise.resolve(price?.times(amount));
  };
}
