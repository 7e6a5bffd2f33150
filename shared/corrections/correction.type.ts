import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar } from '../subgraph/scalars.js';
import type { Shape } from '../subgraph/shape.js';
import { Access } from '../subgraph/access.js';
import { AtMost } from '../subgraph/constraint.js';
import type { CorrectionRow } from './corrections.store.js';

/** Filters and paging arguments of every list of corrections. */
@ArgsType()
export abstract class CorrectionPageArgs {
  @AtMost({ maxLength: 40 })
  @Field(() => String, { nullable: true, description: 'Of this kind alone, as `kind` shows it' })
  kind?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Recorded at this moment or later' })
  from?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Recorded at this moment or earlier' })
  to?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `How many at most, from 1 to 100; 20 when omitted. A page that looked at 5,000 changes of which hardly any was a correction holds fewer, or none: go on after \`endCursor\` while \`hasNextPage\`. Costs 50 points, and 1 for each`,
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before' })
  after?: string | null;
}

/** A corrected field, with its raw values. */
@ObjectType({ simpleResolvers: true })
export abstract class CorrectedFields {
  @Field(() => String, { description: 'Its name' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The raw value that had been published, as text; a list as JSON. Null for none',
  })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'What it became; null for none, and for what was removed' })
  after!: string | null;
}

/** The fields common to all corrections; each domain adds the record and its fields. */
@ObjectType({ simpleResolvers: true })
export abstract class CorrectionFields {
  @Field(() => String, { description: 'What kind of fact it is, as the graph calls it: `unitPrices`, `payments`' })
  kind!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the record is known by: `AURORA1S1`, `AURORA1S1 19 Juros`',
  })
  record!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'The day that it is about; null where it is about none' })
  date!: string | null;

  @Field(() => Boolean, { description: 'Whether the record was removed' })
  removed!: boolean;

  @Field(() => DateTimeScalar, { description: 'When it was recorded: `asOf` a moment before it shows what stood' })
  recordedAt!: Date;

  @Field(() => String, { nullable: true, description: 'Why; null where no reason was given' })
  reason!: string | null;

  @Access('operator', 'read')
  @Field(() => String, { nullable: true, description: 'Who recorded it; for operators. Null for the program itself' })
  recordedBy!: string | null;

  @Access('operator', 'read')
  @Field(() => String, { nullable: true, description: 'The import that did, by its id; for operators' })
  importId!: string | null;

  @Access('operator', 'read')
  @Field(() => String, { nullable: true, description: 'The file of that import; for operators' })
  fileName!: string | null;

  @Access('operator', 'read')
  @Field(() => Int, { nullable: true, description: 'The line of that file; for operators' })
  line!: number | null;
}

/** @param rename GraphQL names of fields whose name in the input differs */
export function toCorrection(
  row: CorrectionRow,
  rename: Readonly<Record<string, string>> = {},
): Shape<CorrectionFields> & { readonly fields: readonly Shape<CorrectedFields>[] } {
  const { before, after } = row;
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after?.[name] ?? null),
  );
  return {
    kind: row.kind,
    record: row.record,
    date: row.date,
    removed: after === null,
    recordedAt: row.recordedAt,
    reason: row.reason,
    recordedBy: row.recordedBy,
    importId: row.importId,
    fileName: row.fileName,
    line: row.line,
    fields: names.sort().map((name) => ({
      name: rename[name] ?? name,
      before: textOf(before[name]),
      after: textOf(after?.[name]),
    })),
  };
}

function textOf(value: unknown): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
