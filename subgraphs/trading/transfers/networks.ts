import type { AddressKind } from './addresses/check-address.js';

/** A network for deposits and withdrawals of a currency. Amounts are decimal text in that currency. */
export interface Network {
  readonly currency: string;
  /** The name that callers use: `ethereum`, `pix`. */
  readonly name: string;
  /** The form of its addresses. */
  readonly addressKind: AddressKind;
  /** The number after which a deposit is credited, and a withdrawal complete. */
  readonly confirmations: number;
  /** The client's fee for a withdrawal, in addition to its amount. */
  readonly fee: string;
  /** The minimum withdrawal. */
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

/** The currencies that have a network. */
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
