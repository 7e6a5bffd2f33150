/** One thing that is wrong with the input. */
export interface ImportError {
  /** The file as it was named, or as it was found in a named folder. */
  readonly file: string;
  /** Counted from 1; 0 when it is the file as a whole. */
  readonly line: number;
  /** Column of a CSV file, or path in a JSON file as `series[0].rate`; empty when it is the line or the file as a whole. */
  readonly field: string;
  /** Completes a sentence that begins with the field. */
  readonly message: string;
}

/** What an import did to the records of one kind. */
export interface KindCount {
  readonly kind: string;
  created: number;
  changed: number;
  unchanged: number;
  /** Records of a stated list that the list no longer names. */
  removed: number;
}

/** The outcome of an import: either errors and nothing written, or counts. */
export interface ImportReport {
  readonly files: number;
  /** How many errors there are in all. */
  readonly errorCount: number;
  /** The first of them, by file and line: at most `maxErrorsShown`. */
  readonly faults: readonly ImportError[];
  /** Kinds of which the input holds records, in the order of the model. Empty when there are errors. */
  readonly counts: readonly KindCount[];
  /** Whether errors are changes of settled facts, which a reason would allow. */
  readonly settled?: boolean;
  /** By which it can be taken back; absent where nothing was written. */
  readonly importId?: string;
  /** Of a dry run: what would change. */
  readonly changes?: Changes;
}

/** What an act did to one record. */
export interface RecordChange {
  readonly kind: string;
  readonly change: 'CREATED' | 'CHANGED' | 'REMOVED';
  /** What it belongs to, and its key: `AURORA1S1 2026-01-02`. */
  readonly record: string;
  /** Index of the file; null where no line of the input says it. */
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

/** The first changes of a dry run, and how many there are in all. */
export interface Changes {
  readonly changes: readonly RecordChange[];
  readonly total: number;
}

export const noChanges: Changes = { changes: [], total: 0 };

export const maxErrorsShown = 1000;

/** Collects errors in bounded memory: counts all of them, and keeps the first ones by file and line. */
export class ErrorList {
  #count = 0;
  #kept: (ImportError & { readonly order: number })[] = [];

  /** `files` are the names of the files, in the order in which their errors are told. */
  constructor(private readonly files: readonly string[]) {}

  get count(): number {
    return this.#count;
  }

  add(file: number, line: number, field: string, message: string): void {
    this.#count += 1;
    this.#kept.push({ file: this.files[file] ?? '', line, field, message, order: file });
    if (this.#kept.length >= 4 * maxErrorsShown) this.#sort();
  }

  /** Counts errors that stand behind those that were added, in the same files. */
  addUnshown(count: number): void {
    this.#count += count;
  }

  first(): ImportError[] {
    this.#sort();
    return this.#kept.map(({ file, line, field, message }) => ({ file, line, field, message }));
  }

  #sort(): void {
    this.#kept.sort((one, other) => one.order - other.order || one.line - other.line);
    this.#kept.length = Math.min(this.#kept.length, maxErrorsShown);
  }
}
