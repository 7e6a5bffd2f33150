import { recordAudit } from '../../../shared/security/audit/record.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { maskDocumentsIn } from '../../../shared/kernel/tax-id.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import type { DayCount } from '../../securities/day-count.js';
import { assetEvent } from '../assets/asset-event.js';
import { lockAsset, readInstalments } from '../assets/asset-list.store.js';
import { assetTransitions } from '../assets/asset.js';
import type { AssetRow, InstallmentRow } from '../assets/asset.store.js';
import { announceCredits } from './book-credits.js';
import { unpaidOf } from './tell-moves.js';
import { lockSchedules } from '../../securities/schedule-lock.store.js';
import {
  addRenegotiation,
  arePaymentsOnTheirWay,
  findRenegotiation,
  revertRenegotiation,
} from './renegotiation.store.js';

export const mostInstallments = 480;
/** Most instalments of an asset, paid ones included. */
const mostInAll = 1200;

/** An instalment as a renegotiation states it. Money in BRL, at most 2 decimals. */
export interface RenegotiatedInstallment {
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
  readonly principal: string;
  readonly interest: string;
}

export interface Renegotiation {
  readonly assetId: string;
  /** Instalments that replace all that is open. */
  readonly installments: readonly RenegotiatedInstallment[];
  /** Percent a year; as before where it is not given. */
  readonly interestRate?: string | null | undefined;
  readonly dayCount?: DayCount | null | undefined;
  readonly reason: string;
}

/**
 * Replaces the open part of an assigned credit by a new schedule. Paid instalments stay; credit assignment follows by `assets.renegotiated`.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND, UNPROCESSABLE for impossible days, CONFLICT for an imported credit, one that owes nothing, or one with
 * payments on their way
 */
export async function renegotiateAsset(context: Context, wish: Renegotiation): Promise<AssetRow> {
  const { assetId, installments, interestRate = null, dayCount = null } = wish;
  const today = civilDate(context.clock.now());
  refuse('BAD_REQUEST', formErrors(wish));
  // Its originator reads it, who may not see every tax id.
  const reason = maskDocumentsIn(requireReason(wish.reason));
  const days = installments.map(({ dueDate }) => dueDate);
  refuse(
    'UNPROCESSABLE',
    days.flatMap((day, index) =>
      day > (days[index - 1] ?? today)
        ? []
        : { path: `installments[${index}].dueDate`, message: 'must be after today and after the instalment before' },
    ),
  );
  return inTransaction(context, async (tx) => {
    const { asset, before } = await lockOwing(tx, assetId);
    const kept = before.filter(({ paidAmount }) => !new Decimal(paidAmount).isZero()).length;
    if (kept + installments.length > mostInAll)
      refuse('UNPROCESSABLE', [
        {
          path: 'installments',
          message: `must have at most ${mostInAll - kept} items: the asset has ${kept} paid instalments, and at most ${mostInAll} in all`,
        },
      ]);
    const id = newId(tx.clock.now().getTime());
    const amounts = installments.map(({ principal, interest }) => sum([principal, interest]).toFixed(2));
    const raised = sum(amounts).minus(asset.currentBalance).toFixed(2);
    const due = installments.map(({ dueDate }, index) => ({ dueDate, amount: amounts[index] ?? '0' }));
    const first = await addRenegotiation(tx, { id, asset, due, interestRate });
    const inCents = (amount: string) => new Decimal(amount).toFixed(2);
    const told = installments.map(({ dueDate, principal, interest }, index) => ({
      number: first + index,
      dueDate,
      principal: inCents(principal),
      interest: inCents(interest),
    }));
    return conclude(tx, 'renegotiateAsset', asset, before, {
      topic: 'assets.renegotiated',
      payload: { id, installments: told, interestRate, dayCount, raised, reason },
      reason,
    });
  });
}

/**
 * Puts back the schedule that the last renegotiation of a credit replaced, as long as nothing was paid under the new one.
 * @param renegotiationId the renegotiation to revert, so that concurrent or repeated calls revert only one
 * @throws {ApiError} BAD_REQUEST for an empty reason, NOT_FOUND, CONFLICT if it is not the last that stands, something was paid, or payments are on their way
 */
export async function revertAssetRenegotiation(
  context: Context,
  { assetId, renegotiationId, ...wish }: Readonly<Record<'assetId' | 'renegotiationId' | 'reason', string>>,
): Promise<AssetRow> {
  const reason = requireReason(wish.reason);
  return inTransaction(context, async (tx) => {
    const { asset, before } = await lockOwing(tx, assetId);
    const last = await findRenegotiation(tx, asset.id);
    if (last === undefined) throw new ApiError('CONFLICT', { message: 'No renegotiation of the asset stands' });
    if (last.id !== renegotiationId.toLowerCase())
      throw new ApiError('CONFLICT', { message: 'The last renegotiation of the asset that stands is another one' });
    const isPaid = before.some(
      ({ installmentNumber, paidAmount }) => installmentNumber >= last.firstNumber && !new Decimal(paidAmount).isZero(),
    );
    if (isPaid)
      throw new ApiError('CONFLICT', {
        message: 'Payments were received under the renegotiated schedule: reverse them first',
      });
    await revertRenegotiation(tx, last.id);
    return conclude(tx, 'revertAssetRenegotiation', asset, before, {
      topic: 'assets.renegotiation_reverted',
      payload: { id: last.id },
      reason,
    });
  });
}

/** Locks an assigned credit that is not settled or written off, and returns it with its instalments. */
async function lockOwing(tx: Context, assetId: string) {
  await requireNoImport(tx);
  const asset = await lockAsset(tx, assetId);
  if (asset.originatorId === null)
    throw new ApiError('CONFLICT', { message: 'The asset was imported: an import changes its schedule' });
  if (assetTransitions[asset.status].PAID_IN_FULL === undefined)
    throw new ApiError('CONFLICT', { message: `The asset is ${asset.status} and owes nothing` });
  if (asset.batchId !== null) await lockSchedules(tx, asset.batchId, 'EXCLUSIVE');
  if (await arePaymentsOnTheirWay(tx, asset.id))
    throw new ApiError('CONFLICT', {
      message: 'Payments of the asset are on their way: read it again, and repeat this',
    });
  return { asset, before: await readInstalments(tx, asset.id) };
}

/** Records and announces what became of a credit whose schedule was replaced. Its status follows from the new one. */
async function conclude(
  tx: Context,
  action: 'renegotiateAsset' | 'revertAssetRenegotiation',
  before: AssetRow,
  instalments: readonly InstallmentRow[],
  { topic, payload, reason }: { readonly topic: string; readonly payload: object; readonly reason: string },
): Promise<AssetRow> {
  const { id } = before;
  const asset = await lockAsset(tx, id);
  const now = await readInstalments(tx, id);
  await recordAudit(tx, {
    action,
    subject: { type: 'asset', id },
    before: { status: before.status, currentBalance: before.currentBalance, instalments },
    after: { status: asset.status, currentBalance: asset.currentBalance, instalments: now },
    reason,
  });
  await announce(tx, {
    topic,
    key: id,
    payload: { receivableId: id, ...payload, unpaid: unpaidOf(now) },
    internal: true,
  });
  await announceCredits(tx, [id]);
  if (asset.status !== before.status) await announce(tx, assetEvent(asset, before.status, asset.status));
  return asset;
}

function formErrors({ installments, interestRate, dayCount }: Renegotiation): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  if (installments.length === 0 || installments.length > mostInstallments)
    errors.push({ path: 'installments', message: `must have from 1 to ${mostInstallments} items` });
  for (const [index, { principal, interest }] of installments.entries()) {
    const wrong = Object.entries({ principal, interest }).filter(
      ([, amount]) => !/^\d{1,12}(\.\d{1,2})?$/.test(amount),
    );
    for (const [field] of wrong)
      errors.push(
        errorAt(`installments[${index}].${field}`, 'NUMBER_DECIMALS', { min: 0, max: '999999999999.99', decimals: 2 }),
      );
    if (wrong.length === 0 && sum([principal, interest]).isZero())
      errors.push(errorAt(`installments[${index}].principal`, 'AMOUNT_POSITIVE'));
  }
  if (interestRate != null && !/^\d{1,6}(\.\d{1,8})?$/.test(interestRate))
    errors.push(errorAt('interestRate', 'PERCENT_DECIMALS', { min: 0, max: 999_999, decimals: 8 }));
  if ((interestRate == null) !== (dayCount == null))
    errors.push({ path: 'dayCount', message: 'must be given with an interest rate, and only then' });
  return errors;
}
