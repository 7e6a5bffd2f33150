import type { BrokenRule } from '../../kernel/errors.js';
import type { BrokenImportRule } from '../import-rules.js';
import type { ImportDay, Rule } from './rules.js';
import type { Values, ValueType } from './value.js';

export type Example = string | number | boolean | null | readonly string[];

export interface Field {
  /** Name in JSON and in CSV headers; `summary.segment` is nested one object deeper in JSON. */
  readonly name: string;
  readonly column: string;
  readonly type: ValueType;
  readonly required: boolean;
  /** The column's value when an optional field is absent; null if there is no fallback. */
  readonly fallback: string | null;
  /** Whether an existing row keeps its value when the field is absent; the fallback is for new rows. */
  readonly keeps: boolean;
  /** The kind of record that the value names, if it is a reference; the column stores that record's id. */
  readonly refersTo: Reference | undefined;
  /** Whether it has a column. A field without one is only read: other records follow from it. */
  readonly kept: boolean;
  readonly description: string;
  readonly example: Example;
}

/** A reference by a unique text, ignoring case. */
export interface Reference {
  readonly staged: string;
  /** Temporary table of all possible targets: `id`, and `ticker` in lower case. */
  readonly known: string;
  /** The target's table, with columns `id` and `ticker`, and the table of its versions, if there is one. */
  readonly table: string;
  readonly versions?: string;
}

/** Determines which records are settled, so that changing them requires a reason. */
export interface SettledLimits {
  readonly today: string;
  /** A price or rate older than this many days is settled. */
  readonly priceDays: number;
}

/** A kind of record: its position in the input, its table, and its identity. */
export interface Kind {
  /** Its name in reports: `contracts`. */
  readonly name: string;
  /** Its singular in messages: `contract`. */
  readonly label: string;
  readonly description: string;
  /** With its PostgreSQL schema: `issuances.credit_contracts`. */
  readonly table: string;
  /** SQL that selects its records among the rows of a table that also has other rows; a unique index has the same condition. */
  readonly among: string | undefined;
  /** Why another row of such a table cannot be voided, by columns of it: SQL over `t`. */
  readonly others:
    | {
        readonly columns: string;
        readonly refused: (record: string, row: Readonly<Record<string, string | null>>) => BrokenRule;
      }
    | undefined;
  /** The parent of its records; undefined for root records. */
  readonly parent: Parent | undefined;
  readonly source: Source;
  readonly list: string;
  readonly key: readonly string[];
  readonly fields: readonly Field[];
  /** Whether the key identifies a record among all records without its owner, ignoring the case of texts. */
  readonly unique: boolean;
  /** Whether other files may refer to its records: a record with errors then does not count as missing. */
  readonly referredTo: boolean;
  readonly hasId: boolean;
  /** Whether the position in the list is stored as `position`. */
  readonly ordered: boolean;
  /** Whether a list in the input is complete: records that it does not name are removed. Histories are never shortened. */
  readonly replaces: boolean;
  /** SQL over `t` for rows of others, which a complete list leaves and an export leaves out; undefined for none. */
  readonly foreign: string | undefined;
  /** Whether rows never change: a different record becomes a row with the next `version` and `recorded_at`. */
  readonly versioned: boolean;
  /** Whether its changes are stored with the act that made them: by `shared.keep_versions`, or as versions of its own. */
  readonly recorded: boolean;
  /** SQL for why the row `o` is settled, made by `settledBy`; NULL if it is not. `n` is the new row, NULL in all columns if it is removed. */
  readonly settled: ((limits: SettledLimits) => string) | undefined;
  /** Whether its owner's values are totals of such records: it is removed only with its owner, and corrected by an import. */
  readonly isPart: boolean;
  /** Fields that may become empty without a reason, since they follow from others. */
  readonly mayEmpty: readonly string[];
  readonly csv: boolean;
  /** Fields from which an absent `externalId` is derived. */
  readonly identity: readonly string[];
  readonly rules: readonly Rule[];
  readonly complete: (values: Values) => void;
  readonly derived: readonly Derived[];
  readonly stamps: readonly Stamp[];
  /** Columns that the table generates anew for every inserted row, including restored ones. */
  readonly drawn: readonly string[];
  /** SQL aggregate over the rows that are new or changed, for the effect's `newest`; NULL for none. */
  readonly newest: string;
  /** SQL, over the row `n`, of its change in percent from the record before it, 4 decimals; NULL for none. */
  readonly moved: string;
  /** Derives child records from a record of a JSON file that has no list of them. */
  readonly expand: ((values: Readonly<Values>, day: ImportDay) => Expansion | undefined) | undefined;
}

export interface Parent {
  readonly kind: Kind;
  /** Columns of the staging table that identify the parent, in the order of its name. */
  readonly columns: readonly OwnerColumn[];
  readonly source: Source;
}

export interface OwnerColumn {
  readonly name: string;
  readonly sql: string;
  /** Whether case is ignored. */
  readonly folds: boolean;
  /** The column of CSV files; undefined if such records exist only in JSON. */
  readonly field: Field | undefined;
  /** The table of existing records and their kind, if it refers to a record that must exist. */
  readonly known: { readonly table: string; readonly kind: Kind } | undefined;
}

/** How rows `s` of a staging table are joined to their owner. */
export interface Source {
  readonly owner: readonly (readonly [column: string, from: string])[];
  /** Joins that bring the owner as `k`. */
  readonly join: string;
  /** SQL over `k`: the id by which the effects of an import are grouped. */
  readonly affected: string;
}

export interface Derived {
  readonly column: string;
  readonly sql: string;
  /** Like `keeps` of a field: a null keeps the existing value, and this is the value for new rows. */
  readonly keeps?: string | null;
  readonly of: (values: Readonly<Values>, owner: readonly string[]) => string | null;
}

export interface Stamp {
  readonly column: string;
  /** SQL; `$1` is the moment of the import. */
  readonly value: string;
  /** Whether it is set by changes too, not only by the first write. */
  readonly onChange: boolean;
}

export type Expansion =
  | { readonly field: string; readonly list: string; readonly records: readonly Values[] }
  | { readonly field: string; readonly error: BrokenImportRule };

interface FieldOptions {
  readonly column?: string;
  readonly fallback?: string;
  readonly keeps?: boolean;
  readonly refersTo?: Reference;
  readonly kept?: boolean;
}

function makeField(required: boolean) {
  return (name: string, type: ValueType, description: string, example: Example, options: FieldOptions = {}): Field => ({
    name,
    column: options.column ?? snakeCase(name),
    type,
    required,
    fallback: options.fallback ?? null,
    keeps: options.keeps ?? false,
    refersTo: options.refersTo,
    kept: options.kept ?? true,
    description,
    example,
  });
}

export const required = makeField(true);
export const optional = makeField(false);

type KindOptions = Partial<Omit<Kind, 'name'>> & Pick<Kind, 'label' | 'description' | 'table' | 'key' | 'fields'>;

const noSource: Source = { owner: [], join: '', affected: 'NULL::uuid' };

export function kind(name: string, options: KindOptions): Kind {
  return {
    name,
    among: undefined,
    others: undefined,
    parent: undefined,
    source: options.parent?.source ?? noSource,
    list: name,
    unique: false,
    referredTo: false,
    hasId: true,
    ordered: false,
    replaces: false,
    foreign: undefined,
    versioned: false,
    recorded: true,
    settled: undefined,
    isPart: false,
    mayEmpty: [],
    csv: false,
    identity: [],
    rules: [],
    complete: () => undefined,
    derived: [],
    stamps: [],
    drawn: [],
    newest: 'NULL',
    moved: 'NULL',
    expand: undefined,
    ...options,
  };
}

/** Returns the name by which children refer to a record of this kind: its key, preceded by its own parent's unless the key is unique. */
export function nameOf(
  { key, unique }: Kind,
  owner: readonly string[] | undefined,
  values: Readonly<Values>,
): readonly string[] | undefined {
  const own = key.map((name) => values[name] ?? '');
  const whole = unique ? own : [...(owner ?? ['']), ...own];
  return whole.includes('') ? undefined : whole;
}

/** Converts `summary.useOfProceeds` to `use_of_proceeds`. */
function snakeCase(name: string): string {
  return (name.split('.').at(-1) ?? name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
