import type { ImportDay, Rule } from './rules.js';
import type { Values, ValueType } from './value.js';

export type Example = string | number | boolean | null | readonly string[];

/** One field of a record of the input, and the column that it goes to. */
export interface Field {
  /** As in JSON and in CSV headers; `summary.segment` lies one object deeper in JSON. */
  readonly name: string;
  readonly column: string;
  readonly type: ValueType;
  readonly required: boolean;
  /** What the column gets when an optional field is absent; null without it. */
  readonly fallback: string | null;
  /** When the field is absent a row that is there keeps what it has; the fallback is for new ones. */
  readonly keeps: boolean;
  /** The value names a record of another kind; the column holds that record's id. */
  readonly refersTo: Reference | undefined;
  /** Whether it has a column. One without is only read: other records follow from it. */
  readonly kept: boolean;
  readonly description: string;
  readonly example: Example;
}

/** A record that is named by a text which is unique in the house, whatever its case. */
export interface Reference {
  /** Column of the staging table that holds the text. */
  readonly staged: string;
  /** Temporary table of all that can be referred to: `id`, and `ticker` in lower case. */
  readonly known: string;
  /** The table that it is in, with its columns `id` and `ticker`, and that of its versions, where they are kept. */
  readonly table: string;
  readonly versions?: string;
}

/** What decides whether a record is settled, so that a change of it has to be meant. */
export interface SettledLimits {
  readonly today: string;
  /** A price, rate or index number older than so many days is settled. */
  readonly priceDays: number;
}

/** A kind of record: where it stands in the input, which table keeps it, and what makes two records the same one. */
export interface Kind {
  /** As it is called in reports: `contracts`. */
  readonly name: string;
  /** One of them, in messages: `contract`. */
  readonly label: string;
  readonly description: string;
  /** With its PostgreSQL schema: `issuances.credit_contracts`. */
  readonly table: string;
  /** SQL: which rows of the table its records are, where others are written otherwise; a unique index has the same condition. */
  readonly among: string | undefined;
  /** What its records belong to; undefined where they stand for themselves. */
  readonly parent: Parent | undefined;
  /** How the staged rows find what they belong to. */
  readonly source: Source;
  /** Name of the list in the parent's JSON object, or in a whole file. */
  readonly list: string;
  /** Fields that, with the parent, name a record. */
  readonly key: readonly string[];
  readonly fields: readonly Field[];
  /** Whether the key alone names a record in the whole house, texts in it whatever their case. */
  readonly unique: boolean;
  /** Whether other files may refer to its records: one with errors is then not missing. */
  readonly referredTo: boolean;
  /** Whether the table has an id of its own. */
  readonly hasId: boolean;
  /** Whether the place in the list is kept as `position`. */
  readonly ordered: boolean;
  /** A stated list is the whole list: what it does not name is removed. Histories are never shortened. */
  readonly replaces: boolean;
  /** Rows stand for ever: what is different becomes a row with the next `version`, and `recorded_at`. */
  readonly versioned: boolean;
  /** Whether changes of it are kept, with the act that made them: by `shared.keep_versions`, or as versions of its own. */
  readonly recorded: boolean;
  /**
   * SQL of why the row `o` is settled, as it completes a sentence (`was paid on 2026-01-15`), NULL where it is not. `n` is what it
   * becomes, NULL in all columns where it is removed.
   */
  readonly settled: ((limits: SettledLimits) => string) | undefined;
  /** Whether its owner adds it up: it goes with its owner alone, and is corrected by an import. */
  readonly isPart: boolean;
  /** Fields that may become empty without a reason, since they follow from others. */
  readonly mayEmpty: readonly string[];
  readonly csv: boolean;
  /** `externalId` may be absent; it is then made from these fields. */
  readonly identity: readonly string[];
  readonly rules: readonly Rule[];
  /** Fills in what follows from other fields. */
  readonly complete: (values: Values) => void;
  /** Columns that follow from the fields. */
  readonly derived: readonly Derived[];
  /** Columns that tell when a row was written. */
  readonly stamps: readonly Stamp[];
  /** Columns that the table fills in anew for every row that comes in, also for one that comes back. */
  readonly drawn: readonly string[];
  /** SQL over the rows that are new or changed (aggregate; NULL for none): what the newest of them tells of. */
  readonly newest: string;
  /** Records below that follow from a record of a JSON file, in place of a list of them. */
  readonly expand: ((values: Readonly<Values>, day: ImportDay) => Expansion | undefined) | undefined;
}

/** What a record belongs to. */
export interface Parent {
  readonly kind: Kind;
  /** Columns of the staging table that name it, in the order of its name. */
  readonly columns: readonly OwnerColumn[];
  readonly source: Source;
}

export interface OwnerColumn {
  readonly name: string;
  readonly sql: string;
  /** Whether case does not matter. */
  readonly folds: boolean;
  /** The column of CSV files; undefined where only JSON has such records. */
  readonly field: Field | undefined;
  /** Where it names a record that has to exist: the table of those, and what one is called. */
  readonly known: { readonly table: string; readonly kind: Kind } | undefined;
}

/** How rows `s` of a staging table find their owner. */
export interface Source {
  /** Columns of the owner in the table, with where they come from. */
  readonly owner: readonly (readonly [column: string, from: string])[];
  /** Joins that bring the owner as `k`. */
  readonly join: string;
  /** Of `k`: the id by which the effects of an import are told. */
  readonly affected: string;
}

export interface Derived {
  readonly column: string;
  readonly sql: string;
  /** As of a field: null then keeps what is there, and this is for new rows. */
  readonly keeps?: string | null;
  readonly of: (values: Readonly<Values>, owner: readonly string[]) => string | null;
}

export interface Stamp {
  readonly column: string;
  /** SQL; `$1` is the moment of the import. */
  readonly value: string;
  /** Whether a change sets it too, not only the first writing. */
  readonly onChange: boolean;
}

/** Records of a list that follow from a field of another one, or why they cannot. */
export type Expansion =
  | { readonly field: string; readonly list: string; readonly records: readonly Values[] }
  | { readonly field: string; readonly fault: string };

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
    parent: undefined,
    source: options.parent?.source ?? noSource,
    list: name,
    unique: false,
    referredTo: false,
    hasId: true,
    ordered: false,
    replaces: false,
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
    expand: undefined,
    ...options,
  };
}

/** How records that belong to one of this kind name it: by its key, and what it belongs to itself where that is needed. */
export function nameOf(
  { key, unique }: Kind,
  owner: readonly string[] | undefined,
  values: Readonly<Values>,
): readonly string[] | undefined {
  const own = key.map((name) => values[name] ?? '');
  const whole = unique ? own : [...(owner ?? ['']), ...own];
  return whole.includes('') ? undefined : whole;
}

/** `summary.useOfProceeds` is `use_of_proceeds`. */
function snakeCase(name: string): string {
  return (name.split('.').at(-1) ?? name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
