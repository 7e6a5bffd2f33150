import { Decimal, round, sum } from '../../../shared/decimal.js';
import type { AssetRow, InstallmentRow } from './asset.store.js';
import { assetEventOf, assetTransitions } from './asset-transitions.js';

/** Returns an instalment with everything that was open marked as paid. */
export function paidWhole(instalment: InstallmentRow, paidOn: string): InstallmentRow {
  const paidAmount = Decimal.max(instalment.paidAmount, instalment.amount).toFixed(2);
  return { ...instalment, paidAmount, paidOn, status: 'PAID' };
}

/**
 * Returns a credit after payments of its instalments. Its balance falls in proportion to the unpaid sum, rounded to 2
 * decimals, and to zero with the last instalment; this works both for balances of principal and for sums of instalments.
 * @param before all of them before the payments, the first due first
 * @param after the same, after them
 * @param today civil date in São Paulo
 */
export function payAsset(
  asset: AssetRow,
  before: readonly InstallmentRow[],
  after: readonly InstallmentRow[],
  today: string,
): AssetRow {
  const [pending, left] = [before.filter(isPending), after.filter(isPending)];
  const nextDueDate = left[0]?.dueDate ?? null;
  const status = assetTransitions[asset.status][assetEventOf(nextDueDate, today)] ?? asset.status;
  const [owed, stillOwed] = [sum(pending.map(open)), sum(left.map(open))];
  const held = new Decimal(asset.currentBalance);
  // Multiplied before it is divided: a share that is rounded would take a half cent for less than one.
  const fallen = owed.isZero() ? held : held.times(stillOwed).div(owed);
  const balance = nextDueDate === null ? new Decimal(0) : round(fallen, 2);
  return {
    ...asset,
    status,
    currentBalance: balance.toFixed(2),
    received: owed.minus(stillOwed).plus(asset.received).toFixed(2),
    paidInstallments:
      nextDueDate === null
        ? asset.installments
        : Math.min(asset.paidInstallments + pending.length - left.length, asset.installments),
    nextDueDate,
  };
}

function isPending({ status }: InstallmentRow): boolean {
  return status === 'PENDING';
}

/** Returns the unpaid amount of an instalment. */
function open({ amount, paidAmount }: InstallmentRow): Decimal {
  return Decimal.max(new Decimal(amount).minus(paidAmount), 0);
}
