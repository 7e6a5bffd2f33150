import { sha256 } from '../../../../shared/crypto.js';
import { isMisread, type Misread, type ValueType } from './value.js';

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
  /** The value is the ticker of a series of the same operation; the column holds that series' id. */
  readonly refersToSeries: boolean;
  readonly description: string;
  readonly example: Example;
}

/** A record's values by field name, in the form that PostgreSQL takes. */
export type Values = Record<string, string | null>;

/** What is wrong between fields that are each right; `field` is the one to look at. */
export interface RuleFault extends Misread {
  readonly field: string;
}

/** A rule between the fields of one record. `today` is the civil date in São Paulo. */
export type Rule = (values: Readonly<Values>, today: string) => RuleFault | undefined;

export type KindName =
  | 'operations'
  | 'series'
  | 'unitPrices'
  | 'trusteeUnitPrices'
  | 'guarantees'
  | 'documents'
  | 'obligations'
  | 'payments'
  | 'accounts'
  | 'permittedInvestments'
  | 'assemblies'
  | 'communications'
  | 'participants'
  | 'onchainContracts'
  | 'onchainEvents'
  | 'contracts'
  | 'contractPositions'
  | 'provisioningBands'
  | 'covenants';

/** A kind of record: where it stands in the input, which table keeps it, and what makes two records the same one. */
export interface Kind {
  readonly name: KindName;
  /** One of them, in messages: `contract`. */
  readonly label: string;
  readonly description: string;
  readonly table: string;
  readonly parent: Parent;
  /** Name of the list in the parent's JSON object. */
  readonly list: string;
  /** Fields that, with the parent, name a record. */
  readonly key: readonly string[];
  readonly fields: readonly Field[];
  /** Whether the table has an id of its own. */
  readonly hasId: boolean;
  /** Whether the place in the list is kept as `position`. */
  readonly ordered: boolean;
  /** A stated list is the whole list: what it does not name is removed. Histories are never shortened. */
  readonly replaces: boolean;
  readonly csv: boolean;
  /** `externalId` may be absent; it is then made from these fields. */
  readonly identity: readonly string[];
  readonly rules: readonly Rule[];
  /** Fills in what follows from other fields. */
  readonly complete: (values: Values) => void;
}

/** What a record belongs to, and the columns of the staging table that name it. */
export type Parent = 'none' | 'operation' | 'series' | 'contract' | 'onchainContract';

interface FieldOptions {
  readonly column?: string;
  readonly fallback?: string;
  readonly refersToSeries?: boolean;
}

function makeField(required: boolean) {
  return (name: string, type: ValueType, description: string, example: Example, options: FieldOptions = {}): Field => ({
    name,
    column: options.column ?? snakeCase(name),
    type,
    required,
    fallback: options.fallback ?? null,
    refersToSeries: options.refersToSeries ?? false,
    description,
    example,
  });
}

export const required = makeField(true);
export const optional = makeField(false);

type KindOptions = Partial<Omit<Kind, 'name'>> & Pick<Kind, 'label' | 'description' | 'table' | 'key' | 'fields'>;

export function kind(name: KindName, options: KindOptions): Kind {
  return {
    name,
    parent: 'operation',
    list: name,
    hasId: true,
    ordered: false,
    replaces: false,
    csv: false,
    identity: [],
    rules: [],
    complete: () => undefined,
    ...options,
  };
}

/**
 * Reads a record whose values are in plain form: `given` answers each field's text, null where there is none.
 * Tells every fault by field name; the rules between fields are looked at once each field is right.
 */
export function readRecord(
  { fields, identity, rules, complete }: Kind,
  given: (field: Field) => string | null,
  today: string,
): { readonly values: Values; readonly faults: readonly RuleFault[] } {
  const values: Values = {};
  const faults: RuleFault[] = [];
  for (const field of fields) {
    const { name, type, required, fallback } = field;
    const text = given(field);
    const read = text === null ? fallback : type.read(text);
    if (text === null && required) faults.push({ field: name, fault: 'is required' });
    else if (read !== null && isMisread(read)) faults.push({ field: name, fault: read.fault });
    else values[name] = read;
  }
  if (faults.length > 0) return { values, faults };
  if (identity.length > 0) values['externalId'] ??= derivedId(identity.map((name) => values[name] ?? ''));
  complete(values);
  return { values, faults: rules.flatMap((rule) => rule(values, today) ?? []) };
}

function derivedId(parts: readonly string[]): string {
  return `auto-${sha256(JSON.stringify(parts)).toString('hex').slice(0, 20)}`;
}

/** `summary.useOfProceeds` is `use_of_proceeds`. */
function snakeCase(name: string): string {
  return (name.split('.').at(-1) ?? name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
