import type { RuleCode } from '../../../shared/registry.js';
import { byRule } from '../../../shared/kernel/errors.js';
import type { Rejection } from '../batches/batch-kind.js';
import { maxErrors, type BatchErrorRow } from '../batches/batch.store.js';
import type { BrokenRule } from '../batches/broken-rule.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';

export interface Placed {
  readonly position: number;
  readonly externalId: string;
}

/** Why a contract cannot be assigned: its own data, the criteria of the estate, or an existing assignment. */
export type Ground = 'DATA' | 'CRITERIA' | 'ASSIGNED';

export interface RefusalError {
  /** Field of the contract, such as `dueDate`. */
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  readonly messagePt: string;
}

/** The reasons against the contracts of a batch, and the consequence for the batch. */
export interface Verdict extends Rejection {
  /** Whether no contract of the batch is assigned; depends on the mode of the batch. */
  readonly isRejected: boolean;
  readonly refusedCount: number;
}

const rules = {
  DATA: 'CONTRACTS_INVALID',
  CRITERIA: 'CONTRACTS_INELIGIBLE',
  ASSIGNED: 'CONTRACTS_ASSIGNED',
} as const satisfies Record<Ground, RuleCode>;

export type Errors = ReadonlyMap<number, readonly RefusalError[]>;

/** Collects the errors of the contracts of a batch in bounded memory: counts them all, lists the first, and hands them on in pieces to be kept. */
export class Findings {
  #count = 0;
  readonly #first: BatchErrorRow[] = [];
  readonly #contracts = new Map<Ground, Set<number>>();
  readonly #refused = new Set<number>();
  #fresh = new Map<number, RefusalError[]>();

  constructor(
    private readonly keep?: (fresh: Errors) => Promise<void>,
    private readonly most = maxErrors,
  ) {}

  get refusedCount(): number {
    return this.#refused.size;
  }

  has({ position }: Pick<Placed, 'position'>): boolean {
    return this.#refused.has(position);
  }

  add(
    ground: Ground,
    { position, externalId }: Placed,
    errors: readonly (readonly [field: string, rule: BrokenRule])[],
  ): void {
    if (errors.length === 0) return;
    this.#contracts.set(ground, (this.#contracts.get(ground) ?? new Set()).add(position));
    this.#count += errors.length;
    this.#refused.add(position);
    const fresh = this.#fresh.get(position) ?? [];
    if (this.keep !== undefined) this.#fresh.set(position, fresh);
    for (const [field, { code: rule, message, messagePt }] of errors) {
      const error = { field, rule, message, messagePt };
      fresh.push(error);
      const path = `contracts[${position}].${field}`;
      if (this.#first.length < this.most) this.#first.push({ index: position, externalId, path, ...error });
    }
  }

  /** Hands on the errors that were added since the last call, once so many contracts have some. */
  async flush(least = 1): Promise<void> {
    if (this.#fresh.size < least) return;
    const fresh = this.#fresh;
    this.#fresh = new Map();
    await this.keep?.(fresh);
  }

  /** Returns the verdict on a batch, with a reason such as `There are contracts that are already assigned (3 of 50)`; undefined where nothing is wrong. */
  verdict({ mode, lineCount: total }: Pick<CreditBatchRow, 'mode' | 'lineCount'>): Verdict | undefined {
    if (this.#count === 0) return undefined;
    const broken = [...this.#contracts].map(([ground, { size: count }]) => byRule(rules[ground], { count, total }));
    return {
      isRejected: mode === 'ALL_OR_NOTHING' || this.refusedCount === total,
      reason: `There are ${broken.map(({ message }) => message).join(', ')}`,
      rules: broken.map(({ rule, values }) => ({ rule, values })),
      refusedCount: this.refusedCount,
      errorCount: this.#count,
      errors: this.#first.toSorted((one, other) => one.index - other.index),
    };
  }
}
