import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar } from '../subgraph/scalars.js';
import type { Shape } from '../subgraph/shape.js';
import { Access } from '../subgraph/access.js';
import { AtMost } from '../subgraph/constraint.js';
import { connectionArgs } from '../subgraph/page-args.js';
import type { CorrectionRow } from './corrections.store.js';

/** Filters and paging arguments of every list of corrections. */
@ArgsType()
export abstract class CorrectionPageArgs extends connectionArgs() {
  @AtMost({ maxLength: 40 })
  @Field(() => String, { nullable: true, description: 'Only corrections of this kind, as in the field `kind`' })
  kind?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only corrections recorded at this moment or later' })
  from?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only corrections recorded at this moment or earlier' })
  to?: string | null;
}

/** What the description of every list of corrections says about its pages. */
export const correctionPages =
  'A page examines at most 5,000 changes, so it can hold fewer items than requested, or none: continue with its cursors while `pageInfo` says that there are more. Costs 50 points, and 1 for each item.';

/** Why the number of corrections can be missing. */
export const correctionsCounted = 'null where more than 5,000 changes would have to be examined to count them';

/** A corrected field, with its raw values. */
@ObjectType({ simpleResolvers: true })
export abstract class CorrectedFields {
  @Field(() => String, { description: 'The name of the field' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The raw value that was published before, as text; a list as JSON. Null when there was no value',
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The raw value after the correction; null when there is no value, or the record was removed',
  })
  after!: string | null;
}

/** The fields common to all corrections; each domain adds the record and its fields. */
@ObjectType({ simpleResolvers: true })
export abstract class CorrectionFields {
  @Field(() => String, {
    description: 'The kind of the record, by its name in the graph, such as `unitPrices` or `payments`',
  })
  kind!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the record, such as `AURORA1S1` or `AURORA1S1 19 Juros`',
  })
  record!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The day to which the record refers; null when it does not refer to a day',
  })
  date!: string | null;

  @Field(() => Boolean, { description: 'Whether the record was removed' })
  removed!: boolean;

  @Field(() => DateTimeScalar, {
    description: 'When the correction was recorded: `asOf` an earlier moment returns the previous values',
  })
  recordedAt!: Date;

  @Field(() => String, { nullable: true, description: 'The reason for the correction; null when none was given' })
  reason!: string | null;

  @Access('operator', 'read')
  @Field(() => String, {
    nullable: true,
    description: 'Who recorded the correction; for operators. Null for the program itself',
  })
  recordedBy!: string | null;

  @Access('operator', 'read')
  @Field(() => String, {
    nullable: true,
    description: 'The id of the import that recorded the correction; for operators',
  })
  importId!: string | null;

  @Access('operator', 'read')
  @Field(() => String, { nullable: true, description: 'The file of that import which holds the record; for operators' })
  fileName!: string | null;

  @Access('operator', 'read')
  @Field(() => Int, { nullable: true, description: 'The line of that file which holds the record; for operators' })
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
    ...row,
    removed: after === null,
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
