import type { Context } from '../kernel/context.js';
import type { Kind } from './model/kind.js';
import type { ImportDay } from './model/rules.js';
import type { ErrorList } from './report.js';
import type { Effect } from './write/merge.js';

export interface ImportDomain {
  /** Its kinds of records in the order in which they are written, parents before their children. */
  readonly kinds: readonly Kind[];
  readonly schema: SchemaHead;
  /**
   * SQL that creates the temporary tables of everything that can be referred to after this import: existing records and those of the input. Created
   * after staging, so that the checks and the merge look up references in one place.
   */
  readonly createKnown: (day: ImportDay) => string;
  /** Queries for violations across records: they return rows of `file, line, path, field, rule, given` (`violation`). */
  readonly checks: readonly string[];
  /** SQL that, before anything is written, fills in values that follow from existing data. */
  readonly prepare?: string;
  /**
   * Inspects the records that an act is about to remove (`retractedOf`), rejects those that must stay, and deletes dependent rows that are not records
   * of the domain.
   * @throws {ApiError} CONFLICT that says which record, why, and what to do instead
   */
  readonly release?: (context: Context) => Promise<void>;
  /**
   * Adds an error for everything that is written only with a reason, beside changes of settled records. Called after all records are written, unless the
   * act has a reason.
   */
  readonly doubts?: (context: Context, act: { readonly actId: string; readonly errors: ErrorList }) => Promise<void>;
  /**
   * Applies the consequences of every change, in its transaction. `effects` are by the name of their kind; empty when nothing has changed.
   * @param reason the reason of the act, if it has one
   */
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

/** Returns the kinds whose records are at the top level of a JSON file. */
export function rootsOf({ kinds }: ImportDomain): readonly Kind[] {
  return kinds.filter(({ parent }) => parent === undefined);
}

export function csvKindsOf(domains: readonly ImportDomain[]): readonly Kind[] {
  return domains.flatMap(({ kinds }) => kinds.filter(({ csv }) => csv));
}

/** Returns the kinds whose lists are nested in a JSON object of a kind. */
export function childrenOf({ kinds }: ImportDomain, parent: Kind): readonly Kind[] {
  return kinds.filter((kind) => kind.parent?.kind === parent);
}
