import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { NewContract } from '../credit-batches/check-contracts.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { assignedAmong, assignedElsewhere, contractsAt, type AssignedContract } from './eligibility.store.js';
import type { Placed } from './findings.js';

/** A contract and its place in the batch, from 0. */
export type PlacedContract = NewContract & Placed;

/** The contracts whose eligibility is checked: of a stored batch, or of a file that is not sent yet. */
export interface CheckedContracts extends Pick<CreditBatchRow, 'originatorId' | 'patrimonyId' | 'lineCount' | 'mode'> {
  /** Whether they are the whole batch: limits say nothing of a part. */
  readonly areAll: boolean;
  /** Returns `count` contracts from a position on, in their order. */
  at(from: number, count: number): Promise<readonly PlacedContract[]>;
  /** Returns the contracts at `count` positions from `from` on that are assigned already, in order. */
  assignedElsewhere(from: number, count: number): Promise<readonly AssignedContract[]>;
}

export function contractsOfBatch(context: Context, batch: CreditBatchRow): CheckedContracts {
  const { id, originatorId, patrimonyId, lineCount, mode } = batch;
  return {
    ...{ originatorId, patrimonyId, lineCount, mode, areAll: true },
    at: (from, count) => contractsAt(context, id, from, count),
    assignedElsewhere: (from, count) => assignedElsewhere(context, batch, from, count),
  };
}

/** Returns contracts that are not stored, of the calling client. Their values must be those that a batch can have. */
export function contractsGiven(
  context: Context,
  batch: Pick<CheckedContracts, 'patrimonyId' | 'mode' | 'areAll'>,
  contracts: readonly NewContract[],
): CheckedContracts {
  const originatorId = context.principal.ownerId;
  return {
    ...{ ...batch, originatorId, lineCount: contracts.length },
    at: (from, count) =>
      Promise.resolve(
        contracts.slice(from, from + count).map((contract, offset) => ({
          ...contract,
          faceValue: new Decimal(contract.faceValue).toFixed(2),
          position: from + offset,
        })),
      ),
    assignedElsewhere: (from, count) => assignedAmong(context, originatorId, contracts.slice(from, from + count), from),
  };
}
