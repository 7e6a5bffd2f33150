import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import type { NewContract } from '../credit-batches/check-contracts.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import type { PlacedContract } from './checks.js';
import { assignedAmong, assignedElsewhere, contractsAt, debtorsAbove } from './eligibility.store.js';
import type { Placed } from './findings.js';

/** The contracts whose eligibility is checked: of a stored batch, or of a file that is not sent yet. */
export interface CheckedContracts extends Pick<CreditBatchRow, 'originatorId' | 'patrimonyId' | 'lineCount' | 'total'> {
  /** Returns `count` contracts from a position on, in their order. */
  at(from: number, count: number): Promise<readonly PlacedContract[]>;
  /** Returns the debtors who owe more than an amount, with their totals. */
  debtorsAbove(amount: string): Promise<readonly { readonly debtorDocument: string; readonly owed: string }[]>;
  /** Returns the contracts that another batch has claimed, in their order. */
  assignedElsewhere(): Promise<readonly Placed[]>;
}

/** Returns the contracts of a stored batch. */
export function contractsOfBatch(context: Context, batch: CreditBatchRow): CheckedContracts {
  const { originatorId, patrimonyId, lineCount, total } = batch;
  return {
    ...{ originatorId, patrimonyId, lineCount, total },
    at: (from, count) => contractsAt(context, batch.id, from, count),
    debtorsAbove: (amount) => debtorsAbove(context, batch.id, amount),
    assignedElsewhere: () => assignedElsewhere(context, batch),
  };
}

/** Ids per statement: building the text of a longer one takes too long. */
const idsPerStatement = 5_000;

/**
 * Returns contracts that are not stored, of the calling client. Their values must be those that a batch can have.
 * @param areAll whether they are the whole batch: of a part, the shares of debtors are not known
 */
export async function contractsGiven(
  context: Context,
  patrimonyId: string,
  contracts: readonly NewContract[],
  areAll = true,
): Promise<CheckedContracts> {
  const originatorId = context.principal.ownerId;
  let total = new Decimal(0);
  const owed = new Map<string, Decimal>();
  await eachInTurns(contracts, ({ debtorDocument, faceValue }) => {
    total = total.plus(faceValue);
    owed.set(debtorDocument, (owed.get(debtorDocument) ?? new Decimal(0)).plus(faceValue));
  });
  return {
    ...{ originatorId, patrimonyId, lineCount: contracts.length, total: total.toFixed(2) },
    at: (from, count) =>
      Promise.resolve(
        contracts.slice(from, from + count).map((contract, offset) => ({
          ...contract,
          faceValue: new Decimal(contract.faceValue).toFixed(2),
          position: from + offset,
        })),
      ),
    debtorsAbove: (amount) =>
      Promise.resolve(
        [...owed].flatMap(([debtorDocument, sum]) =>
          areAll && sum.greaterThan(amount) ? [{ debtorDocument, owed: sum.toFixed(2) }] : [],
        ),
      ),
    assignedElsewhere: async () => {
      const assigned: Placed[] = [];
      for (let from = 0; from < contracts.length; from += idsPerStatement) {
        const [ids] = arraysOf(contracts.slice(from, from + idsPerStatement), 'externalId');
        const found = new Set(await assignedAmong(context, originatorId, ids ?? []));
        for (const [offset, externalId] of (ids ?? []).entries()) {
          if (found.has(externalId)) assigned.push({ position: from + offset, externalId });
        }
      }
      return assigned;
    },
  };
}
