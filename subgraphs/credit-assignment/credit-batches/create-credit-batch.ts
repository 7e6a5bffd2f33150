import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { isSummed } from '../batches/money.js';
import { sumInTurns } from '../../../shared/kernel/decimal.js';
import { formatDate } from '../../../shared/kernel/format/format.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { errorAt } from '../../../shared/kernel/errors.js';
import { addBatch, numberBatch } from '../batches/batch.store.js';
import { itemsOf, type PlaceOf } from '../batches/check-lines.js';
import { draftBatch, firstLineOf } from '../batches/batches.acts.js';
import { estateIssues, readTerms, requirePermit, type AssignmentTerms } from '../estates/assignment.js';
import { addReceivables } from '../receivables/receivable.store.js';
import {
  requireDistinct,
  requireForm,
  requireMeaning,
  totalPrice,
  type BatchMode,
  type NewContract,
} from './check-contracts.js';
import { creditBatchTable, type BatchFormat, type CreditBatchRow } from './credit-batch.store.js';

export interface NewCreditBatch {
  readonly patrimonyId: string;
  /** 1 to 50,000. */
  readonly contracts: readonly NewContract[];
  readonly mode: BatchMode;
  readonly format: BatchFormat;
  /** Name of the file that contained the batch, if any. */
  readonly fileName?: string | null;
}

/**
 * Creates a batch in DRAFT for the calling client. Whether its contracts are assigned elsewhere is checked
 * when it is processed.
 * @param placeOf names the places of the contracts in errors
 * @throws {ApiError} BAD_REQUEST for input that does not have the documented form, FORBIDDEN for an estate for which the client has no permit,
 * UNPROCESSABLE for values that cannot be true and for an estate that does not exist or accepts no credits, DUPLICATE_CONTRACT for an
 * external id that occurs twice; each with all its errors
 */
export async function createCreditBatch(
  context: Context,
  wish: NewCreditBatch,
  placeOf = itemsOf('contracts'),
): Promise<CreditBatchRow> {
  const { patrimonyId, contracts, mode, format, fileName = null } = wish;
  const others = isUuid(patrimonyId) ? [] : [errorAt('patrimonyId', 'UUID_FORM')];
  await requireForm(contracts, { others, placeOf });
  const createdAt = context.clock.now();
  const day = civilDate(createdAt);
  return inTransaction(context, async (tx) => {
    const { originatorName } = await requireAssignableContracts(tx, wish, day, placeOf);
    const total = await sumInTurns(contracts.map(({ faceValue }) => faceValue).filter(isSummed));
    const originatorId = tx.principal.ownerId;
    const estate = patrimonyId.toLowerCase();
    const lines = { lineCount: contracts.length, total: total.toFixed(2), fileName, firstLine: firstLineOf(contracts) };
    const batch: CreditBatchRow = {
      ...(await draftBatch(tx, createdAt, { originatorId, patrimonyId: estate, ...lines })),
      ...undecidedTerms,
      ...{ mode, format, name: nameOn(originatorName, day) },
      totalPurchasePrice: totalPrice(contracts),
    };
    await addBatch(tx, creditBatchTable, batch);
    await addReceivables(tx, batch.id, 0, contracts);
    return numberBatch(tx, creditBatchTable, batch);
  });
}

export const undecidedTerms = {
  ...{ acceptedCount: null, acceptedFaceValue: null, acceptedPurchasePrice: null },
  remadeFromId: null,
} as const;

/** @param day civil date in São Paulo */
export function nameOn(originatorName: string, day: string): string {
  return `Cessão ${originatorName} ${formatDate(day)}`;
}

/** Checks as the creation does; returns the terms of the estate. @param today civil date in São Paulo @throws {ApiError} FORBIDDEN, UNPROCESSABLE, DUPLICATE_CONTRACT */
export async function requireAssignableContracts(
  context: Context,
  { patrimonyId, contracts, mode }: Pick<NewCreditBatch, 'patrimonyId' | 'contracts' | 'mode'>,
  today: string,
  placeOf: PlaceOf,
): Promise<AssignmentTerms> {
  const terms = await readTerms(context, context.principal.ownerId, patrimonyId);
  requirePermit(terms);
  await requireMeaning({ mode, contracts }, today, { others: estateIssues(terms), placeOf });
  await requireDistinct(contracts, placeOf);
  return terms;
}
