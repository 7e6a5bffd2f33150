import type { Context } from '../kernel/context.js';
import type { Kind } from './model/kind.js';
import type { ImportDay } from './model/rules.js';
import type { Effect } from './write/merge.js';
import type { BrokenImportRule } from './import-rules.js';

export interface ImportDomain {
  /** Its kinds of records in the order in which they are written, parents before their children. */
  readonly kinds: readonly Kind[];
  readonly schema: SchemaHead;
  /** SQL that creates, after staging, temporary tables of all records that can be referred to: existing records and the input's. */
  readonly createKnown: (day: ImportDay) => string;
  /** Queries for violations across records: they return rows of `file, line, path, field, rule, given` (`violation`). */
  readonly checks: readonly string[];
  readonly prepare?: string;
  /** Rejects removals of records that must stay, and deletes dependent rows that are no records. @throws {ApiError} CONFLICT with the record, why, what to do */
  readonly release?: (context: Context) => Promise<void>;
  /** Adds an error for all that needs a reason, beside changes of settled records; called after writing, unless the act has one. */
  readonly doubts?: (context: Context, act: { readonly actId: string; readonly errors: ErrorList }) => Promise<void>;
  /** Applies the consequences of every change, in its transaction. `effects` are by kind, empty without a change. @param reason of the act, if any */
  readonly conclude: (
    context: Context,
    effects: ReadonlyMap<string, readonly Effect[]>,
    reason: string | undefined,
  ) => Promise<void>;
}

export interface SchemaHead {
  /** The value of `--schema` that selects it. */
  readonly name: string;
  /** URN. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export function rootsOf({ kinds }: ImportDomain): readonly Kind[] {
  return kinds.filter(({ parent }) => parent === undefined);
}

export function csvKindsOf(domains: readonly ImportDomain[]): readonly Kind[] {
  return domains.flatMap(({ kinds }) => kinds.filter(({ csv }) => csv));
}

export function childrenOf({ kinds }: ImportDomain, parent: Kind): readonly Kind[] {
  return kinds.filter((kind) => kind.parent?.kind === parent);
}

/** One error of the input. Its message completes a sentence that begins with the field. */
export interface ImportError extends BrokenImportRule {
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

export interface ImportReport {
  readonly files: number;
  readonly errorCount: number;
  /** The first errors, by file and line: at most `maxErrorsShown`. */
  readonly errors: readonly ImportError[];
  /** The kinds that occur in the input, in the order of the model. Empty when there are errors. */
  readonly counts: readonly KindCount[];
  /** Whether there are errors about changes of settled records, which a reason would permit. */
  readonly settled?: boolean;
  /** The id by which it can be reverted; absent if nothing was written. */
  readonly importId?: string;
  readonly changes?: Changes;
}

export interface RecordChange {
  readonly kind: string;
  readonly change: 'CREATED' | 'CHANGED' | 'REMOVED';
  /** Its parents and its key: `AURORA1S1 2026-01-02`. */
  readonly record: string;
  /** Index of the file; null if the change comes from no line of the input. */
  readonly file: number | null;
  readonly line: number | null;
  /** How a price moved from the one before it, in percent, 4 decimals; null for other records, and where there is none before. */
  readonly movedPercent: string | null;
  readonly fields: readonly FieldChange[];
}

interface FieldChange {
  readonly field: string;
  readonly isNumber: boolean;
  readonly before: unknown;
  readonly after: unknown;
}

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
