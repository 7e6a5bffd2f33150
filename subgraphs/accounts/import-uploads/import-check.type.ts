import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { PlacedError } from '../../../shared/import/found-values.js';
import type { RuleValue } from '../../../shared/kernel/rule-error.js';
import { InputErrorValue } from '../../../shared/graphql/rule-value.type.js';
import { ImportedFile, ImportedKind } from '../imports/import.type.js';
import { uploadLimits } from './uploaded-file.js';

@InputType({ description: 'A file that was uploaded by `addImportFilePiece`.' })
export class ImportFileInput {
  @Field(() => ID, { description: 'Id that its pieces were uploaded under (UUID).' })
  id!: string;

  @Field(() => String, {
    description: 'Name, 1 to 200 characters, which ends in .json or .csv; errors name the file by it.',
  })
  name!: string;

  @Field(() => Int, { description: `Number of its pieces, 1 to ${uploadLimits.pieces}.` })
  pieces!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Something that is wrong with a file of an import.' })
export class ImportFileError {
  @Field(() => String, { description: 'Name of the file.' })
  file!: string;

  @Field(() => Int, { description: 'Line, from 1; 0 for the file as a whole.' })
  line!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Column of a CSV file, from 1; null in a JSON file, and for a whole line or file.',
  })
  column!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the column of a CSV file, or the path in a JSON file, such as `series[0].rate`; null for a whole line or file.',
  })
  field!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The value as the CSV file has it, at most 200 characters; null where there is none.',
  })
  value!: string | null;

  @Field(() => String, { description: 'Completes a sentence that begins with the place.' })
  message!: string;

  @Field(() => String, {
    description: 'Stable code of the rule that is broken, such as `DATE_FORM`, for texts in other languages.',
  })
  rule!: string;

  @Field(() => [InputErrorValue], { description: 'The values that the message names.' })
  values!: readonly RuleValue[];
}

@ObjectType({ simpleResolvers: true, description: 'What an import of files would do. Nothing was written.' })
export class ImportCheck {
  @Field(() => Boolean, { description: 'Whether the files can be imported as they are.' })
  accepted!: boolean;

  @Field(() => Boolean, {
    description: 'Whether some of the errors are changes of settled records, which a reason would permit.',
  })
  needsReason!: boolean;

  @Field(() => Int, { description: 'Total number of errors.' })
  errorCount!: number;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [ImportedFile], { description: 'The files, at most 20.' })
  files!: ImportedFile[];

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [ImportedKind], {
    description: 'Numbers of records that would be affected, by kind; empty when there are errors.',
  })
  counts!: ImportedKind[];

  @Field(() => Int, { description: 'Total number of records that would be created, changed and removed.' })
  changeCount!: number;
}

export function toImportFileError({ field, value, ...error }: PlacedError): ImportFileError {
  return { ...error, field: field === '' ? null : field, value: value === null ? null : value.slice(0, 200) };
}
