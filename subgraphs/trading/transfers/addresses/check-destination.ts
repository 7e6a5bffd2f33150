import type { Context } from '../../../../shared/kernel/context.js';
import { type ErrorDetail, errorAt } from '../../../../shared/kernel/errors.js';
import { isHouseAddress } from '../deposits/deposit.store.js';
import { canonicalAddress, type AddressKind, spellingsOf } from './check-address.js';

/** Returns the errors of an address to which funds are to be sent: one that is none, from which nothing comes back, or of the house itself. */
export async function destinationIssues(context: Context, kind: AddressKind, given: string): Promise<ErrorDetail[]> {
  const address = canonicalAddress(kind, given);
  if (address === undefined) return [errorAt('address', `ADDRESS_${kind}`)];
  if (isLostAddress(kind, address)) return [errorAt('address', 'ADDRESS_LOST')];
  return (await isHouseAddress(context, kind === 'BANK_ACCOUNT' ? spellingsOf(address) : [address]))
    ? [errorAt('address', 'ADDRESS_OF_HOUSE')]
    : [];
}

/** Addresses without a key, in lower case: contracts of tokens, which keep what is sent to them, and burn addresses that do not look like one. */
const known: ReadonlySet<string> = new Set([
  // Ethereum: USDT, USDC, DAI, WBTC, WETH, MATIC, POL, stETH, LINK, UNI, SHIB, BNB, the deposit contract.
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0x6b175474e89094c44da98b954eedeac495271d0f',
  '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0',
  '0xae7ab96520de3a18e5e111b5eaab095312d7fe84',
  '0x514910771af9ca656af840dff83e8264ecf986ca',
  '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984',
  '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce',
  '0xb8c77482e45f1f44de1745f52c74426c631bdd52',
  '0x455e53cbb86018ac2b8092fdcd39d8444affc3f6',
  '0x00000000219ab540356cbb839cbe05303d7705fa',
  // Polygon: USDT, USDC, bridged USDC, DAI, WBTC, WETH, WPOL.
  '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
  '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  '0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
  '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063',
  '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6',
  '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619',
  '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
  // Bitcoin: the eater, and scripts and keys whose hash is all zeros or all ones.
  '1bitcoineateraddressdontsendf59kue',
  '31h1vyvsyukp6ahs86fbrdmw9xhieotbst',
  '1qlbz7jhibtsps962rlkv8gndwfwi5j6qr',
  '3r2cuenjg5nfubqx9wzuukdin2yfbbq6kw',
]);

/** Fifteen times the same character: nobody finds a key for such an address (`0x000…dEaD`, `1CounterpartyXXX…`, a witness program of zeros). */
const run = /(.)\1{14}/;
/** The same few characters over and over, such as `0xdeadbeef…deadbeef`. */
const repeated = /^0x(.{1,10})\1{3,}$/;

/** Whether what is sent to an address of a chain, in its canonical form, never comes back from there. */
export function isLostAddress(kind: AddressKind, address: string): boolean {
  if (kind !== 'EVM' && kind !== 'BITCOIN') return false;
  const text = address.toLowerCase();
  return known.has(text) || run.test(text) || repeated.test(text);
}
