import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import {
  connectionPage,
  openPage,
  type ConnectionArguments,
  type ListPage,
} from '../../../shared/graphql/list-page.js';
import { afterAll, beforeAll, keyOf, partsOf, placeOf, type AssetQuery } from './asset-list.js';
import { assetsOfPatrimonies, type AssetRow, type InstallmentRow } from './asset.store.js';
import type { ReadAssets } from './read-assets.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, errorAt, refuse, requireFound } from '../../../shared/kernel/errors.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { announceCredits } from '../assignments/book-credits.js';
import { tellOperatorPayment, tellWriteOff } from '../assignments/tell-moves.js';
import {
  lockAsset,
  readInstalments,
  saveAsset,
  saveInstalments,
  isAsPaid,
  findBalanceBefore,
  findPaidLater,
  findPartBefore,
} from './asset-list.store.js';
import { assetEvent } from './asset-event.js';
import { assetTransitions, assetEventOf, isInDefault } from './asset.js';
import { findActBehind } from '../../../shared/security/audit/read-entries.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { requireTakenBack, takeBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { tokenizationImport } from '../import/domain.js';
import { reverseAssignedPayment } from '../assignments/reverse-assigned-payment.js';
import { replaceRows, type Replacement } from '../../../shared/import/replace-rows.js';
import type { ImportReport } from '../../../shared/import/domain.js';
import { assets, installments } from '../import/model/assets.js';

export interface AssetsPage extends ListPage<AssetRow> {
  readonly total: number;
}

/** Lists in the order of registration; continues at the places that were read, also where an asset no longer matches a cached search. @throws {ApiError} BAD_REQUEST */
export async function pageAssets(
  context: Context,
  { read, codec }: { readonly read: ReadAssets; readonly codec: CursorCodec },
  query: AssetQuery,
  wanted: ConnectionArguments,
): Promise<AssetsPage> {
  const page = openPage(codec, connectionPage(wanted), { scope: keyOf(query) });
  const { after = null, backward, number, offset, limit } = page;
  const { rows, total, first, last, hasMore } = await read(context, query, { after, backward, offset, limit });
  const sealed = (place: string | null) => (place === null ? null : page.seal([place]));
  const behind = after !== null || number > 1;
  return {
    rows,
    total,
    number,
    size: limit,
    cursorAt: (index) => {
      const row = rows.at(index);
      return row === undefined ? null : page.seal([placeOf(row)]);
    },
    hasNext: backward ? behind : hasMore,
    hasPrevious: backward ? hasMore : behind,
    startCursor: sealed(first),
    endCursor: sealed(last),
    nextToken: hasMore && !backward ? sealed(last) : null,
  };
}

/** Pages of several estates are loaded in one query. @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor */
export async function pageAssetsOf(
  context: Context,
  codec: CursorCodec,
  patrimonyId: string,
  wanted: ConnectionArguments,
): Promise<ListPage<AssetRow>> {
  const query = { patrimonyId, status: null, type: null, words: [] };
  const page = openPage(codec, connectionPage(wanted), { scope: keyOf(query) });
  const { backward, limit } = page;
  const after = partsOf(page.after ?? (backward ? afterAll : beforeAll));
  const rows = await loaderOf(context, assetsOfPatrimonies).load({ patrimonyId, after, backward, limit: limit + 1 });
  return page.take(rows, (row) => [placeOf(row)]);
}

/** Tells credit assignment of an assigned credit. A repetition returns the same result. @throws {ApiError} NOT_FOUND, UNPROCESSABLE for a future day, CONFLICT for another day or a closed credit */
export async function recordAssetPayment(
  context: Context,
  assetId: string,
  installmentNumber: number,
  paidOn: string,
): Promise<AssetRow> {
  const today = civilDate(context.clock.now());
  if (paidOn > today) refuse('UNPROCESSABLE', [{ path: 'paidOn', message: 'must not be in the future' }]);
  return inTransaction(context, async (tx) => {
    const asset = await lockAsset(tx, assetId);
    const instalments = await readInstalments(tx, asset.id);
    const instalment = requireFound(
      instalments.find((each) => each.installmentNumber === installmentNumber),
      `The asset has no instalment ${installmentNumber}`,
    );
    if (instalment.status === 'PAID') {
      if (instalment.paidOn === paidOn) return asset;
      throw new ApiError('CONFLICT', { message: `The instalment was already paid on ${instalment.paidOn ?? ''}` });
    }
    if (assetTransitions[asset.status].PAID_IN_FULL === undefined)
      throw new ApiError('CONFLICT', { message: `The asset is ${asset.status} and accepts no payments` });
    const whole = paidWhole(instalment, paidOn);
    const after = instalments.map((each) => (each === instalment ? whole : each));
    const paid = payAsset(asset, instalments, after, today);
    await saveInstalments(tx, [whole]);
    await saveAsset(tx, paid);
    await recordAudit(tx, {
      action: 'recordAssetPayment',
      subject: { type: 'asset', id: asset.id },
      before: { status: asset.status, currentBalance: asset.currentBalance, instalment },
      after: { status: paid.status, currentBalance: paid.currentBalance, instalment: whole },
    });
    await tellOperatorPayment(tx, instalment, whole, after);
    await announceCredits(tx, [asset.id]);
    if (paid.status !== asset.status) await announce(tx, assetEvent(paid, asset.status, paid.status));
    return paid;
  });
}

export interface ReversedPayment {
  readonly assetId: string;
  readonly installmentNumber: number;
  readonly reason: string;
  /** Amount paid and abated of the instalment as the operator knows it, in BRL; required if it is only part of the instalment. */
  readonly paidAmount?: string | null;
  /** How much of what a settlement batch brought is reversed, in BRL; all of it when omitted. */
  readonly amount?: string | null;
}

/**
 * Reverses a payment of a debtor: recorded by an operator, brought by an import, or received in a settlement batch of an originator. Restores the previous
 * instalment, balance, received amount and status, and announces a change of status; credit assignment reopens the receivable of an assigned credit. The
 * latest of several payments that operators recorded is reversed first. The payment stays in the history, with the reason.
 * @throws {ApiError} BAD_REQUEST for an empty reason, NOT_FOUND for an unknown instalment, CONFLICT for an unpaid instalment, or one whose received amount
 *   differs from `paidAmount`, UNPROCESSABLE for a payment before which another one is to be reversed, and for an amount that no batch brought
 */
export async function reverseAssetPayment(
  context: Context,
  { assetId, installmentNumber, reason, paidAmount = null, amount = null }: ReversedPayment,
): Promise<AssetRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const asset = await lockAsset(tx, assetId);
    const instalments = await readInstalments(tx, asset.id);
    const instalment = requireFound(
      instalments.find((each) => each.installmentNumber === installmentNumber),
      `The asset has no instalment ${installmentNumber}`,
    );
    requirePaid(instalment, paidAmount, asset.originatorId !== null);
    if (asset.originatorId !== null)
      return reverseAssignedPayment(tx, asset, instalments, { installmentNumber, reason: said, amount });
    if (amount !== null) refuse('UNPROCESSABLE', [errorAt('amount', 'REVERSED_PART', { last: '0.00' })]);
    const id = await findActBehind(tx, 'recordAssetPayment', {
      table: 'tokenization.asset_installments',
      row: 'asset_id = $2 AND installment_number = $3',
      values: [asset.id, installmentNumber],
    });
    const label = `payment of instalment ${installmentNumber} of ${asset.externalId}`;
    const act = { action: 'reverseAssetPayment', label, reason: said } as const;
    requireTakenBack(
      id !== undefined && (await isAsPaid(tx, asset.id))
        ? await takeBack(tx, [tokenizationImport], { id, ...act }, { reason: said })
        : await makeUnpaid(tx, asset, instalments, instalment, act),
    );
    return lockAsset(tx, assetId);
  });
}

/** Only one of two concurrent reversals takes effect: a reversal of a part states the received amount, and the second caller finds another one. @throws {ApiError} CONFLICT */
function requirePaid({ status, paidAmount: known }: InstallmentRow, said: string | null, takesParts: boolean): void {
  if (said !== null && !new Decimal(said).eq(known))
    throw new ApiError('CONFLICT', {
      message: `R$ ${known} of the instalment were paid and abated, not R$ ${said}: read the asset again`,
    });
  if (status === 'PAID' || (takesParts && said !== null)) return;
  const part = takesParts && !new Decimal(known).isZero();
  throw new ApiError('CONFLICT', {
    message: part
      ? `The instalment is not paid in full: to reverse its last payment, give what was paid and abated of it, which is R$ ${known} (paidAmount)`
      : 'The instalment is not paid',
  });
}

/** Writes an asset off permanently; its balance stays on record, and a repetition is no error. An assigned credit's external id may be assigned again. @throws {ApiError} NOT_FOUND, CONFLICT if settled */
export async function writeOffAsset(context: Context, assetId: string): Promise<AssetRow> {
  return inTransaction(context, async (tx) => {
    const asset = await lockAsset(tx, assetId);
    const status = asset.status === 'WRITTEN_OFF' ? asset.status : assetTransitions[asset.status].WRITE_OFF;
    if (status === undefined)
      throw new ApiError('CONFLICT', { message: `The asset is ${asset.status} and cannot be written off` });
    await tellWriteOff(tx, asset);
    if (status === asset.status) return asset;
    const writtenOff = { ...asset, status };
    await saveAsset(tx, writtenOff);
    await announceCredits(tx, [asset.id]);
    await announce(tx, assetEvent(writtenOff, asset.status, status));
    await recordAudit(tx, {
      action: 'writeOffAsset',
      subject: { type: 'asset', id: asset.id },
      before: { status: asset.status, currentBalance: asset.currentBalance },
      after: { status, currentBalance: asset.currentBalance },
    });
    return writtenOff;
  });
}

export function paidWhole(instalment: InstallmentRow, paidOn: string): InstallmentRow {
  const paidAmount = Decimal.max(instalment.paidAmount, instalment.amount).toFixed(2);
  return { ...instalment, paidAmount, paidOn, status: 'PAID' };
}

/** The balance falls in proportion to the unpaid sum, rounded to 2 decimals, and to zero with the last instalment. @param before all instalments, the first due first @param after the same, paid */
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

function open({ amount, paidAmount }: InstallmentRow): Decimal {
  return Decimal.max(new Decimal(amount).minus(paidAmount), 0);
}

/**
 * Makes a paid instalment of an imported credit unpaid, as an act of its own with its reason, whatever brought the payment and whatever changed since. Only a
 * part that was received before the whole stays. The figures and the status of the credit follow from its instalments; one that was written off stays so.
 * @param asset locked
 * @param all its instalments, earliest due first
 * @throws {ApiError} UNPROCESSABLE if operators recorded the payment and a later one of the credit
 */
async function makeUnpaid(
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
