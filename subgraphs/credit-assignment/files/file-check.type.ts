import { ObjectType } from 'type-graphql';
import type { RuleValue } from '../../../shared/kernel/errors.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { InputErrorValue } from '../../../shared/graphql/rule-value.type.js';
import { RejectionRule } from '../batches/batch.type.js';
import type { ErrorLanguage } from './error-file.js';
import type { FileFormat } from './file-format.js';
import { decimal, fields, flag, int, list, nullable, text } from '../../../shared/graphql/fields.js';

export const FileFormatEnum = describeEnum<FileFormat>(
  'BatchFileFormat',
  'Format of a file of contracts or payments.',
  {
    CNAB444: 'CNAB 444: a header, details and a trailer of 444 columns each.',
    CSV: 'CSV with a header, separated by semicolons or commas.',
    NDJSON: 'A JSON object a line, with the names of the columns of CSV; numbers or texts.',
  },
  { CNAB444: ['CNAB 444', 'CNAB 444'], CSV: ['CSV', 'CSV'], NDJSON: ['NDJSON', 'NDJSON'] },
);

export const ErrorLanguageEnum = describeEnum<ErrorLanguage>('FileErrorLanguage', 'Language of the errors in a file.', {
  PT_BR: 'Brazilian Portuguese.',
  EN: 'English.',
});

@ObjectType('BatchFileError', { simpleResolvers: true, description: 'A rule that a value in a file breaks.' })
export class BatchFileError extends fields({
  line: int('Number of the line, from 1'),
  fromColumn: nullable.int('First column of the value in a CNAB 444 file, from 1; null for a whole line and for CSV'),
  toColumn: nullable.int('Last column of the value; null as `fromColumn`'),
  field: nullable.text(
    'Field of the layout, or column of a CSV file; null for a whole line and for a single character',
  ),
  value: nullable.text(
    'The value as the file has it, without blanks around it, at most 80 characters; null for a whole line',
  ),
  rule: text('Code of the rule, such as `CHECK_DIGITS`'),
  place: text('Place of the value as errors of sending name it: `line 17, columns 38-62`'),
  message: text('The rule in English: completes a sentence that begins with the place'),
  messagePt: text('The same in Brazilian Portuguese'),
}) {}

const ofRule = {
  rule: nullable.text('Stable code of the rule that is broken; null where the message is made of no rule'),
  values: list<RuleValue>(() => InputErrorValue, 'The values that the message names'),
};

@ObjectType({ simpleResolvers: true, description: 'An error of an input.' })
export class BatchFileRefusalDetail extends fields({
  path: text('Place of the error: in the file, or an argument'),
  message: text('What is wrong there, in English'),
  ...ofRule,
}) {}

@ObjectType({ simpleResolvers: true, description: 'The error that sending a file would have.' })
export class BatchFileRefusal extends fields({
  statusCode: int('HTTP status: 400 for the form, 403, 404, 409 or 422'),
  code: text('Code of the error, such as `UNPROCESSABLE`'),
  message: text('What is wrong, in English'),
  ...ofRule,
  details: list(() => BatchFileRefusalDetail, 'Its first 100 errors, as the response would list them', {
    assumedSize: 100,
  }),
}) {}

@ObjectType('BatchFileCheck', { description: 'What would become of a file if it were sent now. Nothing is written.' })
export class BatchFileCheck extends fields({
  lineCount: int('Number of contracts or payments that could be read'),
  total: decimal(
    'Their total face value, or the total received: payments with their surplus, without abatements; as far as amounts can be read; in BRL, 2 decimals',
  ),
  totalAbated: nullable.decimal(
    'Total of the abatements, discounts and substitutions among the payments, likewise; null for contracts',
  ),
  accepted: flag('Whether sending the file would create a batch'),
  refusal: nullable.of(
    () => BatchFileRefusal,
    'The error that sending the file would have; null when it would create a batch',
  ),
  eligible: nullable.flag(
    'Whether processing would accept the batch as things are now; null when sending is refused already',
  ),
  rejectionReason: nullable.text(
    'Reason for which processing would reject the batch, in English; null when it would not',
  ),
  rejectionRules: nullable.list(
    () => RejectionRule,
    'The rules of which `rejectionReason` is made, for texts in other languages; null where it is null',
  ),
  errorCount: int('Number of all errors, whatever stage would find them'),
}) {}
