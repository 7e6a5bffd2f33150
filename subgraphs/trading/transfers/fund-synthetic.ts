import { postJournals } from '../ledger/post-journals.js';
import type { FundWallet } from '../profiles/profiles.acts.js';

/** The initial funds of a synthetic wallet, by currency (docs/contract/trading.md §8.2). */
export const syntheticFunds: Readonly<Record<string, string>> = { BRL: '100000', BTC: '1', ETH: '10', USDT: '20000' };

/** Funds a synthetic wallet. A real one starts empty. */
export const fundSynthetic: FundWallet = async (tx, { id, synthetic }) => {
  if (!synthetic) return;
  const postings = Object.entries(syntheticFunds).flatMap(([currency, amount]) => [
    { account: { kind: 'AVAILABLE', walletId: id, currency } as const, amount },
    { account: { kind: 'CUSTODY', currency } as const, amount: `-${amount}` },
  ]);
  await postJournals(tx, [
    { key: `synthetic.funds:${id}`, cause: 'synthetic.funds', causeId: id, synthetic, postings },
  ]);
};
