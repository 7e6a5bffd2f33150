/** An error of a contract of a batch, as it is stored and shown. */
export interface Finding {
  /** Its place in the batch, from 0. */
  readonly index: number;
  readonly externalId: string;
  readonly path: string;
  /** Completes a sentence that begins with the path. */
  readonly message: string;
}

/** A contract by its place in a batch, from 0. */
export interface Placed {
  readonly position: number;
  readonly externalId: string;
}

/** Why a contract cannot be assigned: its own data, the criteria of the estate, or an existing assignment. */
export type Ground = 'DATA' | 'CRITERIA' | 'ASSIGNED';

const words: Readonly<Record<Ground, string>> = {
  DATA: 'contracts with invalid data',
  CRITERIA: 'contracts that do not meet the eligibility criteria of the estate',
  ASSIGNED: 'contracts that are already assigned',
};

/** Maximum number of findings that are stored of a batch. */
export const maxFindings = 1000;

/** Collects the errors of the contracts of a batch in bounded memory: counts them all and keeps the first. */
export class Findings {
  #count = 0;
  readonly #kept: Finding[] = [];
  readonly #contracts = new Map<Ground, number>();

  /** The number of all errors. */
  get count(): number {
    return this.#count;
  }

  /** The errors that are kept, in the order of the contracts. */
  get kept(): readonly Finding[] {
    return this.#kept.toSorted((one, other) => one.index - other.index);
  }

  add(
    ground: Ground,
    { position, externalId }: Placed,
    faults: readonly (readonly [field: string, message: string])[],
  ): void {
    if (faults.length === 0) return;
    this.addCount(ground, 1, faults.length);
    for (const [field, message] of faults) {
      if (this.#kept.length === maxFindings) return;
      this.#kept.push({ index: position, externalId, path: `contracts[${position}].${field}`, message });
    }
  }

  /** Counts contracts, and their errors, without keeping each error. */
  addCount(ground: Ground, contracts: number, faults = contracts): void {
    if (contracts === 0) return;
    this.#contracts.set(ground, (this.#contracts.get(ground) ?? 0) + contracts);
    this.#count += faults;
  }

  /** Returns why the batch is rejected, in a sentence: `There are contracts that are already assigned (3 of 50)`. */
  reason(contractCount: number): string {
    const parts = [...this.#contracts].map(([ground, count]) => `${words[ground]} (${count} of ${contractCount})`);
    return `There are ${parts.join(', ')}`;
  }
}
