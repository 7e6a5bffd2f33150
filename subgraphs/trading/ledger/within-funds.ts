import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { listAvailable } from './ledger.store.js';

/** An amount that a wallet is to pay, in one currency. */
export interface Giving {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly amount: Decimal | string;
}

/**
 * Whether wallets appear to have the funds for each payment, one after the other: a payment reduces what is left for the next. Nothing is locked: it
 * only avoids vain attempts, and the ledger decides.
 */
export async function withinFunds(context: Context, giving: readonly Giving[]): Promise<boolean[]> {
  if (giving.length === 0) return [];
  const available = await listAvailable(context, giving);
  const fundsOf = ({ walletId, currency }: Giving) => `${walletId} ${currency}`;
  const left = new Map(giving.map((one, index) => [fundsOf(one), new Decimal(available[index] ?? 0)]));
  return giving.map((one) => {
    const rest = left.get(fundsOf(one))?.minus(one.amount);
    if (rest === undefined || rest.lessThan(0)) return false;
    left.set(fundsOf(one), rest);
    return true;
  });
}
