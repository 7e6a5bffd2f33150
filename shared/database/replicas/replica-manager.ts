import { Counter } from 'prom-client';
import type { QueryResult } from 'typeorm';
import type { Database } from '../database.js';
import { Manager } from '../manager.js';
import { NoResponse, unavailability } from '../unavailable.js';

export const publishedReads = new Counter({
  name: 'published_reads_total',
  help: 'Operations without a credential that read published data, by node (replica, primary); repeated counts statements that a replica failed and the primary ran.',
  labelNames: ['node'],
  registers: [],
});

export interface ReplicaManagerParts {
  readonly standby: Database;
  readonly primary: Manager;
  readonly isCurrent: () => boolean;
  /** Called once, with the error on account of which it is no longer used. */
  readonly onFailure: (error: unknown) => void;
  readonly statementTimeoutMs: number;
}

/**
 * Reads from a standby while it is current; from the first failure on from the primary, so that nobody goes back to an older state. It has no
 * transactions: nothing that decides a change is read by it.
 */
export class ReplicaManager extends Manager {
  readonly #parts: ReplicaManagerParts;
  readonly #waiting = new Set<() => void>();
  #isLeft = false;

  constructor(parts: ReplicaManagerParts) {
    super(parts.standby);
    this.#parts = parts;
  }

  /** Whether it reads from the primary by now. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Ends the use of the standby: what waits for it is read from the primary. */
  leave(): void {
    this.#isLeft = true;
    for (const abandon of this.#waiting) abandon();
  }

  override async statement(text: string, parameters?: readonly unknown[]): Promise<QueryResult> {
    const { primary, isCurrent, onFailure, statementTimeoutMs } = this.#parts;
    // Too old is for good, too: an operation that has read from the primary must not read something older after it.
    this.#isLeft ||= !isCurrent();
    if (this.#isLeft) return primary.statement(text, parameters);
    const begun = performance.now();
    try {
      return await this.#unlessLeft(super.statement(text, parameters));
    } catch (error) {
      const reason = unavailability(error)?.reason;
      // A statement that has had all its time would take as long on the primary.
      const wasTooLong = reason === 'slow' && performance.now() - begun >= statementTimeoutMs;
      if (reason === undefined || wasTooLong) throw error;
      publishedReads.inc({ node: 'repeated' });
      if (!this.isLeft) onFailure(error);
      this.leave();
      return primary.statement(text, parameters);
    }
  }

  /** Several operations share it: what it reads is part of no trace. */
  override under(): Manager {
    return this;
  }

  override inTransaction<T>(): Promise<T> {
    return Promise.reject(new Error('A replica has no transactions: what decides a change is read from the primary'));
  }

  #unlessLeft<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const abandon = () => {
        reject(new NoResponse('The replica was given up while it ran a statement'));
      };
      this.#waiting.add(abandon);
      work.then(resolve, reject).finally(() => this.#waiting.delete(abandon));
    });
  }
}
