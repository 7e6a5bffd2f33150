import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { StoredImport } from '../../../shared/import/imports.store.js';
import type { RecordChange } from '../../../shared/import/report.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import type { Shape } from '../../../shared/subgraph/shape.js';

@ObjectType({ simpleResolvers: true, description: 'A file of an import.' })
export class ImportedFile {
  @Field(() => String, { description: 'Its name, as it was given to the command.' })
  name!: string;

  @Field(() => Float, { description: 'Its size in bytes.' })
  bytes!: number;

  @Field(() => String, { description: 'SHA-256 of its bytes, in hexadecimal digits.' })
  sha256!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What an import did to the records of one kind.' })
export class ImportedKind {
  @Field(() => String, { description: 'Name of the kind, as `unitPrices`.' })
  kind!: string;

  @Field(() => Int, { description: 'Records that are new.' })
  created!: number;

  @Field(() => Int, { description: 'Records that changed.' })
  changed!: number;

  @Field(() => Int, { description: 'Records that were the same already.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Records that were removed.' })
  removed!: number;
}

export const RecordChangeEnum = describeEnum<RecordChange['change']>('ImportedChange', 'What became of a record.', {
  CREATED: 'It is new',
  CHANGED: 'Some of its fields changed',
  REMOVED: 'It was removed; its versions stay',
});

@ObjectType({ simpleResolvers: true, description: 'A field that an import changed.' })
export class ImportedField {
  @Field(() => String, { description: 'Name of the field, as in the files.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its value before, as files write it; a list as JSON; null for none.',
  })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'Its value after it.' })
  after!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What an import did to one record.' })
export class ImportedRecord {
  @Field(() => String, { description: 'Name of the kind, as `unitPrices`.' })
  kind!: string;

  @Field(() => RecordChangeEnum, { description: 'What became of it.' })
  change!: RecordChange['change'];

  @Field(() => String, { description: 'What it belongs to and its key: `AURORA1S1 2026-01-02`.' })
  record!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Place of the file in `files`, from 0; null where no line says it.',
  })
  file!: number | null;

  @Field(() => Int, { nullable: true, description: 'Line of the file; null where no line says it.' })
  line!: number | null;

  @Field(() => [ImportedField], { description: 'The fields that changed.' })
  fields!: ImportedField[];
}

@ObjectType({ simpleResolvers: true, description: 'The records that an import changed.' })
export class ImportedRecords {
  @Field(() => [ImportedRecord], { description: 'The first of them.' })
  changes!: ImportedRecord[];

  @Field(() => Int, { description: 'How many there are in all.' })
  total!: number;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'One act on published records: an import, the taking back of an import or of a payment, or a voided record; with what it changed.',
})
export class Import {
  @Field(() => ID, { description: 'UUID; that of its entry in the audit log.' })
  id!: string;

  @Field(() => Date, { description: 'The moment under which its changes are recorded.' })
  recordedAt!: Date;

  @Field(() => String, { description: 'Id of the operator; `system` before there was one.' })
  actorId!: string;

  @Field(() => String, { nullable: true, description: 'E-mail of the operator.' })
  actorName!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The reason that was given, in which tax ids show their last digits; null for an import without one. It is published with its corrections.',
  })
  reason!: string | null;

  @Field(() => [ImportedFile], {
    description:
      'Its files; of an import that was taken back those of that import; none for a voided record or a reversed payment.',
  })
  files!: ImportedFile[];

  @Field(() => [ImportedKind], { description: 'What it did, by kind.' })
  counts!: ImportedKind[];

  @Field(() => ID, { nullable: true, description: 'The import that this one takes back.' })
  reverts!: string | null;

  @Field(() => ID, { nullable: true, description: 'The import that took this one back.' })
  revertedBy!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of imports, the newest first.' })
export class ImportConnection {
  @Field(() => [Import], { description: 'The imports.' })
  nodes!: Import[];

  @Field(() => PageInfo, { description: 'Where the page ends.' })
  pageInfo!: PageInfo;
}

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
