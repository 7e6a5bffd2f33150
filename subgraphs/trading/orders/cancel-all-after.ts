import { requireBounds } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import { requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import { removeTimer, setTimer } from './cancel-timer.store.js';

/**
 * Sets the dead man's switch of a wallet, or removes it (0 seconds).
 * @returns when all open orders will be cancelled, unless it is set again before
 * @throws {ApiError} BAD_REQUEST for seconds out of bounds; NOT_FOUND
 */
export async function cancelAllAfter(context: Context, choice: WalletChoice, seconds: number): Promise<Date | null> {
  requireBounds({ name: 'seconds', value: seconds, min: 0, max: 86_400 });
  const { id: walletId } = await requireWallet(context, choice);
  if (seconds === 0) {
    await removeTimer(context, walletId);
    return null;
  }
  const firesAt = new Date(context.clock.now().getTime() + seconds * 1_000);
  await setTimer(context, { walletId, firesAt });
  return firesAt;
}
