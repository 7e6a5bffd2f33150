import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { listAvailable } from './balance.store.js';

/** What a wallet is to give, of one currency. */
export interface Giving {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly amount: Decimal | string;
}

/**
 * Whether wallets seem to have what each is to give, one after the other: what one takes is not there for the next. Nothing is locked, so it is
 * for not trying in vain; the ledger decides.
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
