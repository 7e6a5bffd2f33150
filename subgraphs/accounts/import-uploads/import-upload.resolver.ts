import {
  Arg,
  Ctx,
  Directive,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Resolver,
  Root,
  InputType,
  ObjectType,
} from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { noChanges } from '../../../shared/import/domain.js';
import { Access, PartOfAct, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  Import,
  ImportedRecord,
  toImport,
  toImportedRecord,
  ImportedFile,
  ImportedKind,
} from '../imports/import.type.js';
import {
  addImportPiece,
  importUploaded,
  checkImport,
  type CheckedImport,
  type ImportParts,
} from './import-uploads.acts.js';
import { uploadLimits } from './uploaded-file.js';
import type { PlacedError } from '../../../shared/import/check.js';
import type { RuleValue } from '../../../shared/kernel/errors.js';
import { InputErrorValue } from '../../../shared/graphql/rule-value.type.js';
import { fields, flag, id, inputs, int, list, nullable, text } from '../../../shared/graphql/fields.js';

const { pieceBytes, pieces, files: mostFiles } = uploadLimits;
const reasonText =
  'Reason for changing settled records, 1 to 500 characters on one line; it is published with the corrections. Without one, files that change a settled record are rejected.';

/** The outcome of a check, of which errors and changes are read in part. */
type CheckShape = Shape<ImportCheck> & { readonly checked: CheckedImport };

@Resolver(() => ImportCheck)
export class ImportUploadResolver {
  constructor(private readonly parts: ImportParts) {}

  @Access('operator', 'publish')
  @PartOfAct()
  @Mutation(() => Int, {
    description: `Uploads a piece of a file for an import: the file is compressed with gzip, and cut into pieces of at most ${pieceBytes} bytes. The same piece again replaces it. Pieces are deleted with the import, and after two hours. Returns the position. Errors: 400 for an argument that is out of bounds; 422 when the operator has uploaded too much that was not imported.`,
  })
  async addImportFilePiece(
    @Ctx() context: Context,
    @Arg('file', () => ID, { description: 'Id of the file, a UUID that the client chooses.' }) fileId: string,
    @Arg('position', () => Int, { description: `Position of the piece, from 0 to ${pieces - 1}.` }) position: number,
    @AtMost({ maxLength: Math.ceil(pieceBytes / 3) * 4 })
    @Arg('piece', () => String, { description: `The piece as Base64, 1 to ${pieceBytes} bytes.` })
    piece: string,
  ): Promise<number> {
    await addImportPiece(context, { fileId, position, piece });
    return position;
  }

  @Access('operator', 'publish')
  @Mutation(() => ImportCheck, {
    description:
      'Performs an import of uploaded files, returns every error or what would change, and rolls it back. What is wrong with the files is part of the result. Errors: 400 for files that are not there completely, or are too large, and for an invalid reason; 409 while another import is written.',
  })
  async checkImport(
    @Ctx() context: Context,
    @AtMost({ maxItems: mostFiles })
    @Arg('files', () => [ImportFileInput], {
      description: `The files, 1 to ${mostFiles}; they may refer to one another.`,
    })
    files: ImportFileInput[],
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<CheckShape> {
    const checked = await checkImport(context, this.parts, { files, reason });
    const { errorCount, settled = false, counts, changes = noChanges } = checked.report;
    return {
      accepted: errorCount === 0,
      needsReason: settled,
      errorCount,
      files: [...checked.files],
      counts: [...counts],
      changeCount: changes.total,
      checked,
    };
  }

  @Directive('@listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)')
  @FieldResolver(() => [ImportFileError], {
    description: 'The first errors, by file and line. Errors: 400 for `first` out of bounds.',
  })
  errors(
    @Root() { checked }: CheckShape,
    @Arg('first', () => Int, { defaultValue: 100, description: 'How many, 1 to 1,000.' }) first: number,
  ): Shape<ImportFileError>[] {
    requireBounds({ name: 'first', value: first, min: 1, max: 1_000 });
    return checked.errors.slice(0, first).map(toImportFileError);
  }

  @Directive('@listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)')
  @FieldResolver(() => [ImportedRecord], {
    description:
      'The first records that would change, field by field, by kind and key; empty when there are errors. Errors: 400 for `first` out of bounds.',
  })
  changes(
    @Root() { checked }: CheckShape,
    @Arg('first', () => Int, { defaultValue: 100, description: 'How many, 1 to 1,000.' }) first: number,
  ): Shape<ImportedRecord>[] {
    requireBounds({ name: 'first', value: first, min: 1, max: 1_000 });
    return (checked.report.changes ?? noChanges).changes.slice(0, first).map(toImportedRecord);
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Import, {
    description:
      'Imports uploaded files: all of their records in one transaction, or none. The pieces are deleted, so that files are imported once. `revertImport` takes an import back. Errors: 400 as `checkImport`; 409 while another import is written; 422, with every error, when the files cannot be imported.',
  })
  async importFiles(
    @Ctx() context: Context,
    @AtMost({ maxItems: mostFiles })
    @Arg('files', () => [ImportFileInput], { description: `The files, 1 to ${mostFiles}, as they were checked.` })
    files: ImportFileInput[],
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<Shape<Import>> {
    return toImport(await importUploaded(context, this.parts, { files, reason }));
  }
}

@InputType({ description: 'A file that was uploaded by `addImportFilePiece`.' })
class ImportFileInput extends inputs({
  id: id('Id that its pieces were uploaded under (UUID).'),
  name: text('Name, 1 to 200 characters, which ends in .json or .csv; errors name the file by it.'),
  pieces: int(`Number of its pieces, 1 to ${uploadLimits.pieces}.`),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Something that is wrong with a file of an import.' })
class ImportFileError extends fields({
  file: text('Name of the file.'),
  line: int('Line, from 1; 0 for the file as a whole.'),
  column: nullable.int('Column of a CSV file, from 1; null in a JSON file, and for a whole line or file.'),
  field: nullable.text(
    'Name of the column of a CSV file, or the path in a JSON file, such as `series[0].rate`; null for a whole line or file.',
  ),
  value: nullable.text('The value as the CSV file has it, at most 200 characters; null where there is none.'),
  message: text('Completes a sentence that begins with the place.'),
  rule: text('Stable code of the rule that is broken, such as `DATE_FORM`, for texts in other languages.'),
  values: list<RuleValue>(() => InputErrorValue, 'The values that the message names.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'What an import of files would do. Nothing was written.' })
class ImportCheck extends fields({
  accepted: flag('Whether the files can be imported as they are.'),
  needsReason: flag('Whether some of the errors are changes of settled records, which a reason would permit.'),
  errorCount: int('Total number of errors.'),
  files: list(() => ImportedFile, 'The files, at most 20.', { assumedSize: 20 }),
  counts: list(() => ImportedKind, 'Numbers of records that would be affected, by kind; empty when there are errors.', {
    assumedSize: 20,
  }),
  changeCount: int('Total number of records that would be created, changed and removed.'),
}) {}

function toImportFileError({ field, value, ...error }: PlacedError): ImportFileError {
  return { ...error, field: field === '' ? null : field, value: value === null ? null : value.slice(0, 200) };
}
