import type { BrokenImportRule } from './import-rules.js';

/** One error of the input. Its message completes a sentence that begins with the field. */
export interface ImportError extends BrokenImportRule {
  /** The file as it was given, or as it was found in a given folder. */
  readonly file: string;
  /** Counted from 1; 0 for the file as a whole. */
  readonly line: number;
  /** Column of a CSV file, or path in a JSON file as `series[0].rate`; empty for the line or the file as a whole. */
  readonly field: string;
}

export interface KindCount {
  readonly kind: string;
  created: number;
  changed: number;
  unchanged: number;
  /** Records that a complete list no longer names. */
  removed: number;
}

/** The outcome of an import: either errors and nothing written, or counts. */
export interface ImportReport {
  readonly files: number;
  /** The total number of errors. */
  readonly errorCount: number;
  /** The first errors, by file and line: at most `maxErrorsShown`. */
  readonly errors: readonly ImportError[];
  /** The kinds that occur in the input, in the order of the model. Empty when there are errors. */
  readonly counts: readonly KindCount[];
  /** Whether there are errors about changes of settled records, which a reason would permit. */
  readonly settled?: boolean;
  /** The id by which it can be reverted; absent if nothing was written. */
  readonly importId?: string;
  /** The changes that a dry run would make. */
  readonly changes?: Changes;
}

/** The effect of an act on one record. */
export interface RecordChange {
  readonly kind: string;
  readonly change: 'CREATED' | 'CHANGED' | 'REMOVED';
  /** Its parents and its key: `AURORA1S1 2026-01-02`. */
  readonly record: string;
  /** Index of the file; null if the change comes from no line of the input. */
  readonly file: number | null;
  readonly line: number | null;
  /** The fields that differ, by their names in the input. */
  readonly fields: readonly FieldChange[];
}

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The first changes of a dry run, and their total. */
export interface Changes {
  readonly changes: readonly RecordChange[];
  readonly total: number;
}

export const noChanges: Changes = { changes: [], total: 0 };

export const maxErrorsShown = 1000;

/** Collects errors in bounded memory: counts all of them, and keeps the first ones by file and line. */
export class ErrorList {
  #count = 0;
  #kept: { readonly order: number; readonly error: ImportError }[] = [];

  /** @param files the names of the files, in the order in which their errors are reported */
  constructor(private readonly files: readonly string[]) {}

  get count(): number {
    return this.#count;
  }

  add(file: number, line: number, field: string, broken: BrokenImportRule): void {
    this.#count += 1;
    this.#kept.push({ order: file, error: { file: this.files[file] ?? '', line, field, ...broken } });
    if (this.#kept.length >= 4 * maxErrorsShown) this.#sort();
  }

  /** Counts further errors of the same files that come after the added ones. */
  addUnshown(count: number): void {
    this.#count += count;
  }

  first(): ImportError[] {
    this.#sort();
    return this.#kept.map(({ error }) => error);
  }

  #sort(): void {
    this.#kept.sort((one, other) => one.order - other.order || one.error.line - other.error.line);
    this.#kept.length = Math.min(this.#kept.length, maxErrorsShown);
  }
}
