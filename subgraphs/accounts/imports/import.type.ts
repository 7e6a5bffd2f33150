import { ArgsType, ObjectType } from 'type-graphql';
import type { StoredImport } from '../../../shared/import/imports.store.js';
import type { RecordChange } from '../../../shared/import/domain.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { args, fields, flag, float, id, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'A file of an import.' })
export class ImportedFile extends fields({
  name: text('Name of the file as it was given to the command.'),
  bytes: float('Size in bytes.'),
  sha256: text('SHA-256 of the content, in hexadecimal digits.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Numbers of records of one kind that an import affected.' })
export class ImportedKind extends fields({
  kind: text('Name of the kind, such as `unitPrices`.'),
  created: int('Number of new records.'),
  changed: int('Number of changed records.'),
  unchanged: int('Number of records that were already equal.'),
  removed: int('Number of removed records.'),
}) {}

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
export class ImportedField extends fields({
  field: text('Name of the field, as in the imported files.'),
  isNumber: flag('Whether its values are numbers.'),
  before: nullable.text('Value before the import, as it is written in files; lists as JSON; null when there was none.'),
  after: nullable.text('Value after the import, in the same form.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Effect of an import on one record.' })
export class ImportedRecord extends fields({
  kind: text('Name of the kind, such as `unitPrices`.'),
  change: of(() => RecordChangeEnum, 'Effect on the record.'),
  record: text('Names of its parents and its own key, such as `AURORA1S1 2026-01-02`.'),
  file: nullable.int('Position of the file in `files`, from 0; null when the record is not in a line of a file.'),
  line: nullable.int('Line of the file; null when the record is not in a line of a file.'),
  movedPercent: nullable.text(
    'How a unit price moved from the one before it, in percent with 4 decimals; null for other records, and for a first price or one after 0.',
  ),
  fields: list(() => ImportedField, 'The fields that changed.', { assumedSize: 20 }),
}) {}

export const ImportedRecordConnection = connectionType(ImportedRecord, {
  name: 'ImportedRecord',
  nodes: 'records that an import changed',
  order: 'by kind, and then by the key of the record',
});

@ArgsType()
export class ChangePageArgs extends args({
  ...ofPage({ usual: 100, most: 100 }),
  kind: nullable.text('Only records of this kind, such as `unitPrices`.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'A change of published records, which is an import, the reversion of an import or of a payment, or the voiding of a record.',
})
export class Import extends fields({
  id: id('Id (UUID), which is also the id of its entry in the audit log.'),
  recordedAt: time('Time at which its changes were recorded.'),
  actorId: text('Id of the operator.'),
  actorName: nullable.text('E-mail of the operator.'),
  reason: nullable.text(
    'The reason that was given, with tax ids reduced to their last digits; null for an import without one. It is published with the corrections.',
  ),
  files: list(
    () => ImportedFile,
    'Its files; for the reversion of an import, the files of that import; empty for a voided record or a reversed payment.',
    { assumedSize: 20 },
  ),
  counts: list(() => ImportedKind, 'Numbers of affected records, by kind.', { assumedSize: 20 }),
  reverts: nullable.id('The import that this one reverts.'),
  revertedBy: nullable.id('The import that reverted this one.'),
}) {}

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
    fields: fields.map(({ before, after, ...field }) => ({ ...field, before: textOf(before), after: textOf(after) })),
  };
}

function textOf(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
