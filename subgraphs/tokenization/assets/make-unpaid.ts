import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { replaceRows, type Replacement } from '../../../shared/import/replace-rows.js';
import type { ImportReport } from '../../../shared/import/report.js';
import { tokenizationImport } from '../import/domain.js';
import { assets, installments } from '../import/model/assets.js';
import { isInDefault } from './asset-transitions.js';
import type { AssetRow, InstallmentRow } from './asset.store.js';
import { findBalanceBefore, findPaidLater, findPartBefore } from './paid-state.store.js';

/**
 * Makes a paid instalment of an imported credit unpaid, as an act of its own with its reason, whatever brought the payment and whatever changed since. Only a
 * part that was received before the whole stays. The figures and the status of the credit follow from its instalments; one that was written off stays so.
 * @param asset locked
 * @param all its instalments, earliest due first
 * @throws {ApiError} UNPROCESSABLE if operators recorded the payment and a later one of the credit
 */
export async function makeUnpaid(
  tx: Context,
  asset: AssetRow,
  all: readonly InstallmentRow[],
  paid: InstallmentRow,
  act: Replacement,
): Promise<ImportReport> {
  const later = await findPaidLater(tx, paid);
  if (later !== undefined)
    throw new ApiError('UNPROCESSABLE', {
      message: `The payment of instalment ${later} was recorded later: reverse that one first`,
    });
  const unpaid: InstallmentRow = {
    ...paid,
    paidAmount: (await findPartBefore(tx, paid)) ?? '0.00',
    paidOn: null,
    status: 'PENDING',
  };
  const after = await withoutPayment(tx, asset, { before: all, after: all.with(all.indexOf(paid), unpaid) });
  const rows = [
    {
      kind: assets,
      where: 't.id = $2',
      values: [asset.id],
      changes: {
        status: after.status,
        current_balance: after.currentBalance,
        received: after.received,
        paid_installments: after.paidInstallments,
        next_due_date: after.nextDueDate,
      },
    },
    {
      kind: installments,
      where: 't.asset_id = $2 AND t.installment_number = $3',
      values: [asset.id, paid.installmentNumber],
      changes: { paid_amount: unpaid.paidAmount, paid_on: null, status: unpaid.status },
    },
  ];
  return replaceRows(tx, tokenizationImport, rows, act);
}

interface Instalments {
  readonly before: readonly InstallmentRow[];
  readonly after: readonly InstallmentRow[];
}

async function withoutPayment(tx: Context, asset: AssetRow, { before, after }: Instalments): Promise<AssetRow> {
  const pending = after.filter(({ status }) => status === 'PENDING');
  const nextDueDate = pending[0]?.dueDate ?? null;
  const figures = {
    ...asset,
    received: sum(after.map(({ paidAmount }) => paidAmount)).toFixed(2),
    paidInstallments: after.length - pending.length,
    nextDueDate,
    status: asset.status === 'WRITTEN_OFF' ? asset.status : statusBy(nextDueDate, tx),
  };
  const balance = (await findBalanceBefore(tx, figures)) ?? risenBalance(asset, openSum(before), openSum(after));
  return { ...figures, currentBalance: balance };
}

function statusBy(nextDueDate: string | null, { clock }: Context): 'ACTIVE' | 'DEFAULTED' {
  const isLate = nextDueDate !== null && isInDefault(nextDueDate, civilDate(clock.now()));
  return isLate ? 'DEFAULTED' : 'ACTIVE';
}

/** Returns the balance in proportion to the unpaid sum; the unpaid sum itself where nothing was owed before. */
function risenBalance({ currentBalance }: AssetRow, owed: Decimal, owedAgain: Decimal): string {
  const held = new Decimal(currentBalance);
  return (owed.isZero() || held.isZero() ? owedAgain : round(held.times(owedAgain).div(owed), 2)).toFixed(2);
}

function openSum(instalments: readonly InstallmentRow[]): Decimal {
  const open = instalments.filter(({ status }) => status === 'PENDING');
  return sum(open.map(({ amount, paidAmount }) => Decimal.max(new Decimal(amount).minus(paidAmount), 0)));
}
