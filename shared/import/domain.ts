import type { Context } from '../context.js';
import type { Kind } from './model/kind.js';
import type { ImportDay } from './model/rules.js';
import type { Effect } from './write/merge.js';

/** What one domain lets be imported. */
export interface ImportDomain {
  /** Its kinds of records, parents before what belongs to them: the order in which they are written. */
  readonly kinds: readonly Kind[];
  readonly schema: SchemaHead;
  /**
   * SQL that makes the temporary tables of what can be referred to once this import is done: what there is, and what the input
   * brings. Made after staging, so that references are looked up in one place by the checks and by the merge.
   */
  readonly createKnown: (day: ImportDay) => string;
  /** Queries for what does not hold as a whole: rows of `file, line, path, field, message`. */
  readonly checks: readonly string[];
  /** SQL that fills in, before anything is written, what follows from what there is. */
  readonly prepare?: string;
  /**
   * Looks at the records that an act is about to remove (`retractedOf`), refuses those that may not go, and lets go what is no record of the domain.
   * @throws {ApiError} CONFLICT that says which record, why, and what to do instead
   */
  readonly release?: (context: Context) => Promise<void>;
  /** Does what every change asks for, in its transaction. `effects` are by the name of their kind; empty when nothing has changed. */
  readonly conclude: (context: Context, effects: ReadonlyMap<string, readonly Effect[]>) => Promise<void>;
}

/** How the JSON Schema of a domain presents itself. */
export interface SchemaHead {
  /** By which `--schema` finds it. */
  readonly name: string;
  /** URN. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** Kinds whose records stand at the top of a JSON file. */
export function rootsOf({ kinds }: ImportDomain): readonly Kind[] {
  return kinds.filter(({ parent }) => parent === undefined);
}

/** Kinds that come as CSV files too. */
export function csvKindsOf(domains: readonly ImportDomain[]): readonly Kind[] {
  return domains.flatMap(({ kinds }) => kinds.filter(({ csv }) => csv));
}

/** The lists that an object of a kind holds in JSON. */
export function childrenOf({ kinds }: ImportDomain, parent: Kind): readonly Kind[] {
  return kinds.filter((kind) => kind.parent?.kind === parent);
}
