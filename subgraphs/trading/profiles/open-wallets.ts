import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { insertWallets, type WalletRow } from './wallet.store.js';

/** Funds a wallet that was opened in the current transaction: a synthetic one receives its synthetic funds. */
export type FundWallet = (tx: Context, wallet: WalletRow) => Promise<void>;

/** The wallets of a company, or of one of its profiles: a real and a synthetic one. */
export interface Wallets {
  readonly real: WalletRow;
  readonly synthetic: WalletRow;
}

/** Opens the wallets of a company (`profileId` is null) or of a profile, in the transaction that creates their owner. */
export async function openWallets(
  tx: Context,
  fund: FundWallet,
  owner: Pick<WalletRow, 'companyId' | 'profileId'>,
): Promise<Wallets> {
  const now = tx.clock.now().getTime();
  const real = { id: newId(now), ...owner, synthetic: false };
  const synthetic = { id: newId(now), ...owner, synthetic: true };
  await insertWallets(tx, [real, synthetic]);
  await fund(tx, real);
  await fund(tx, synthetic);
  return { real, synthetic };
}
