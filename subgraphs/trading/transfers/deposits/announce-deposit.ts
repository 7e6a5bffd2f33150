import type { Context } from '../../../../shared/context.js';
import { announce } from '../../../../shared/outbox/outbox.js';
import { formatAmount } from '../../format-amount.js';
import { ownerOf } from '../transfer.store.js';
import { isCredited, keptOf } from './deposit.js';
import type { DepositRow } from './deposit.store.js';

/**
 * Announces a change of a deposit, in its transaction: each credit (as a correction where it takes the place of an earlier one), and what is taken
 * back of one. Synthetic funds are not announced: a recipient might mistake them for real ones.
 */
export async function announceDeposit(tx: Context, before: DepositRow, after: DepositRow): Promise<void> {
  if (after.synthetic) return;
  if (after.state === 'CONFIRMED') {
    const correction = before.confirmedAt === null ? {} : { correction: true };
    await announceAs(tx, 'deposit.confirmed', after, {
      amount: formatAmount(after.credited, after.decimals),
      ...correction,
    });
  } else if (isCredited(before)) {
    const amount = formatAmount(keptOf(before).minus(keptOf(after)), after.decimals);
    const status = after.state === 'QUARANTINED' ? 'QUARANTINED' : 'REVERSED';
    await announceAs(tx, 'deposit.reversed', after, { amount, status });
  }
}

async function announceAs(
  tx: Context,
  topic: string,
  { id, walletId, currency, network }: DepositRow,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { ownerId, profileId } = await ownerOf(tx, walletId);
  const data = {
    depositId: id,
    asset: currency,
    network,
    ...fields,
    occurredAt: tx.clock.now().toISOString(),
    ...(profileId === null ? {} : { profileId }),
  };
  await announce(tx, { topic, key: id, payload: { ownerId, data } });
}
