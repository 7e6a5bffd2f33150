import type { RuleCode } from '../../../shared/registry.js';
import { byRule } from '../../../shared/kernel/rule-error.js';
import type { Rejection } from '../batches/batch-kind.js';
import { maxErrors, type BatchErrorRow } from '../batches/batch.store.js';
import type { BrokenRule } from '../batches/broken-rule.js';

/** A contract by its place in a batch, from 0. */
export interface Placed {
  readonly position: number;
  readonly externalId: string;
}

/** Why a contract cannot be assigned: its own data, the criteria of the estate, or an existing assignment. */
export type Ground = 'DATA' | 'CRITERIA' | 'ASSIGNED';

/** An error of a contract that is not assigned for it. */
export interface RefusalError {
  /** Of the contract, such as `dueDate`. */
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  /** The same in Brazilian Portuguese. */
  readonly messagePt: string;
}

/** A rejection, and how many contracts have errors. */
export interface CreditRejection extends Rejection {
  readonly refusedCount: number;
}

const rules = {
  DATA: 'CONTRACTS_INVALID',
  CRITERIA: 'CONTRACTS_INELIGIBLE',
  ASSIGNED: 'CONTRACTS_ASSIGNED',
} as const satisfies Record<Ground, RuleCode>;

/** Collects the errors of the contracts of a batch in bounded memory: counts them all and keeps the first. */
export class Findings {
  #count = 0;
  readonly #kept: BatchErrorRow[] = [];
  readonly #contracts = new Map<Ground, number>();
  readonly #refused = new Set<number>();
  #fresh = new Map<number, RefusalError[]>();

  /** The number of all errors. */
  get count(): number {
    return this.#count;
  }

  /** Returns and forgets the errors that were added since the last call, by position. */
  takeFresh(): ReadonlyMap<number, readonly RefusalError[]> {
    const fresh = this.#fresh;
    this.#fresh = new Map();
    return fresh;
  }

  add(
    ground: Ground,
    { position, externalId }: Placed,
    errors: readonly (readonly [field: string, rule: BrokenRule])[],
  ): void {
    if (errors.length === 0) return;
    this.#contracts.set(ground, (this.#contracts.get(ground) ?? 0) + 1);
    this.#count += errors.length;
    this.#refused.add(position);
    for (const [field, { code: rule, message, messagePt }] of errors) {
      const error = { field, rule, message, messagePt };
      this.#fresh.set(position, [...(this.#fresh.get(position) ?? []), error]);
      const path = `contracts[${position}].${field}`;
      if (this.#kept.length < maxErrors) this.#kept.push({ index: position, externalId, path, ...error });
    }
  }

  /** Returns the rejection of the batch, with a reason such as `There are contracts that are already assigned (3 of 50)`. */
  rejection(total: number): CreditRejection {
    const broken = [...this.#contracts].map(([ground, count]) => byRule(rules[ground], { count, total }));
    return {
      reason: `There are ${broken.map(({ message }) => message).join(', ')}`,
      rules: broken.map(({ rule, values }) => ({ rule, values })),
      refusedCount: this.#refused.size,
      errorCount: this.#count,
      errors: this.#kept.toSorted((one, other) => one.index - other.index),
    };
  }
}
