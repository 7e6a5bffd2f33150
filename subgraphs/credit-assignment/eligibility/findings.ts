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

  /** The number of all errors. */
  get count(): number {
    return this.#count;
  }

  add(
    ground: Ground,
    { position, externalId }: Placed,
    errors: readonly (readonly [field: string, rule: BrokenRule])[],
  ): void {
    if (errors.length === 0) return;
    this.addCount(ground, 1, errors.length);
    for (const [field, { code, message, messagePt }] of errors) {
      if (this.#kept.length === maxErrors) return;
      const path = `contracts[${position}].${field}`;
      this.#kept.push({ index: position, externalId, path, message, field, rule: code, messagePt });
    }
  }

  /** Counts contracts, and their errors, without keeping each error. */
  addCount(ground: Ground, contracts: number, errors = contracts): void {
    if (contracts === 0) return;
    this.#contracts.set(ground, (this.#contracts.get(ground) ?? 0) + contracts);
    this.#count += errors;
  }

  /** Returns the rejection of the batch, with a reason such as `There are contracts that are already assigned (3 of 50)`. */
  rejection(total: number): Rejection {
    const broken = [...this.#contracts].map(([ground, count]) => byRule(rules[ground], { count, total }));
    return {
      reason: `There are ${broken.map(({ message }) => message).join(', ')}`,
      rules: broken.map(({ rule, values }) => ({ rule, values })),
      errorCount: this.#count,
      errors: this.#kept.toSorted((one, other) => one.index - other.index),
    };
  }
}
