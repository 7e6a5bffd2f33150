import { ArgsType, Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { StoredImport } from '../../../shared/import/imports.store.js';
import type { RecordChange } from '../../../shared/import/report.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import type { Shape } from '../../../shared/graphql/shape.js';

@ObjectType({ simpleResolvers: true, description: 'A file of an import.' })
export class ImportedFile {
  @Field(() => String, { description: 'Name of the file as it was given to the command.' })
  name!: string;

  @Field(() => Float, { description: 'Size in bytes.' })
  bytes!: number;

  @Field(() => String, { description: 'SHA-256 of the content, in hexadecimal digits.' })
  sha256!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Numbers of records of one kind that an import affected.' })
export class ImportedKind {
  @Field(() => String, { description: 'Name of the kind, such as `unitPrices`.' })
  kind!: string;

  @Field(() => Int, { description: 'Number of new records.' })
  created!: number;

  @Field(() => Int, { description: 'Number of changed records.' })
  changed!: number;

  @Field(() => Int, { description: 'Number of records that were already equal.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Number of removed records.' })
  removed!: number;
}

export const RecordChangeEnum = describeEnum<RecordChange['change']>(
  'ImportedChange',
  'Effect of an import on a record.',
  {
    CREATED: 'It was created',
    CHANGED: 'Some of its fields changed',
    REMOVED: 'It was removed; its versions remain',
  },
  { CREATED: ['Criado', 'Created'], CHANGED: ['Alterado', 'Changed'], REMOVED: ['Removido', 'Removed'] },
);

@ObjectType({ simpleResolvers: true, description: 'A field that an import changed.' })
export class ImportedField {
  @Field(() => String, { description: 'Name of the field, as in the imported files.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Value before the import, as it is written in files; lists as JSON; null when there was none.',
  })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'Value after the import, in the same form.' })
  after!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Effect of an import on one record.' })
export class ImportedRecord {
  @Field(() => String, { description: 'Name of the kind, such as `unitPrices`.' })
  kind!: string;

  @Field(() => RecordChangeEnum, { description: 'Effect on the record.' })
  change!: RecordChange['change'];

  @Field(() => String, { description: 'Names of its parents and its own key, such as `AURORA1S1 2026-01-02`.' })
  record!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Position of the file in `files`, from 0; null when the record is not in a line of a file.',
  })
  file!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Line of the file; null when the record is not in a line of a file.',
  })
  line!: number | null;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [ImportedField], { description: 'The fields that changed.' })
  fields!: ImportedField[];
}

export const ImportedRecordConnection = connectionType(ImportedRecord, {
  name: 'ImportedRecord',
  nodes: 'records that an import changed',
  order: 'by kind, and then by the key of the record',
});

/** The arguments of a page of the records that an import changed. */
@ArgsType()
export class ChangePageArgs extends connectionArgs({ usual: 100, most: 100 }) {
  @Field(() => String, { nullable: true, description: 'Only records of this kind, such as `unitPrices`.' })
  kind?: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A change of published records, which is an import, the reversion of an import or of a payment, or the voiding of a record.',
})
export class Import {
  @Field(() => ID, { description: 'Id (UUID), which is also the id of its entry in the audit log.' })
  id!: string;

  @Field(() => Date, { description: 'Time at which its changes were recorded.' })
  recordedAt!: Date;

  @Field(() => String, { description: 'Id of the operator.' })
  actorId!: string;

  @Field(() => String, { nullable: true, description: 'E-mail of the operator.' })
  actorName!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The reason that was given, with tax ids reduced to their last digits; null for an import without one. It is published with the corrections.',
  })
  reason!: string | null;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [ImportedFile], {
    description:
      'Its files; for the reversion of an import, the files of that import; empty for a voided record or a reversed payment.',
  })
  files!: ImportedFile[];

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [ImportedKind], { description: 'Numbers of affected records, by kind.' })
  counts!: ImportedKind[];

  @Field(() => ID, { nullable: true, description: 'The import that this one reverts.' })
  reverts!: string | null;

  @Field(() => ID, { nullable: true, description: 'The import that reverted this one.' })
  revertedBy!: string | null;
}

export const ImportConnection = connectionType(Import, {
  name: 'Import',
  nodes: 'imports',
  order: 'newest first',
});

export function toImport(row: StoredImport): Shape<Import> {
  return { ...row, files: [...row.files], counts: [...row.counts] };
}

export function toImportedRecord({ fields, ...change }: RecordChange): Shape<ImportedRecord> {
  return {
    ...change,
    fields: fields.map(({ field, before, after }) => ({ field, before: textOf(before), after: textOf(after) })),
  };
}

function textOf(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
