import { Decimal, round, sum } from '../../../shared/decimal.js';
import type { AssetInstalment } from './asset-acts.store.js';
import type { AssetRow } from './asset.entity.js';
import { assetEventOf, assetTransitions } from './asset-transitions.js';

/**
 * A credit as the payment of one of its instalments leaves it. Its balance falls in the proportion in which what is still
 * to be paid falls, rounded to 2 decimals, and to nothing with the last instalment: so it holds for balances of principal
 * and for sums of instalments alike.
 * @param instalments all of them, before the payment
 * @param today civil date in São Paulo
 */
export function payAsset(
  asset: Readonly<AssetRow>,
  instalments: readonly AssetInstalment[],
  paid: AssetInstalment,
  today: string,
): Readonly<AssetRow> {
  const pending = instalments.filter(({ status }) => status === 'PENDING');
  const left = pending.filter(({ installmentNumber }) => installmentNumber !== paid.installmentNumber);
  const [next] = left;
  const nextDueDate = next?.dueDate ?? null;
  const status = assetTransitions[asset.status][assetEventOf(nextDueDate, today)] ?? asset.status;
  const balance = new Decimal(asset.currentBalance);
  const [before, after] = [sum(pending.map(open)), sum(left.map(open))];
  const share = before.isZero() ? new Decimal(1) : after.div(before);
  return {
    ...asset,
    status,
    currentBalance: (next === undefined ? new Decimal(0) : round(balance.times(share), 2)).toFixed(2),
    received: new Decimal(asset.received).plus(open(paid)).toFixed(2),
    paidInstallments:
      next === undefined ? asset.installments : Math.min(asset.paidInstallments + 1, asset.installments),
    nextDueDate,
  };
}

/** What is still to be paid of an instalment. */
function open({ amount, paidAmount }: AssetInstalment): Decimal {
  return Decimal.max(new Decimal(amount).minus(paidAmount), 0);
}
