import { Directive, InputType, ObjectType } from 'type-graphql';
import { BatchStatusEnum, ofCourse, ofRejection, ofSender } from '../batches/batch.type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { BatchMode } from './check-contracts.js';
import { decimal, fields, id, inputs, int, nullable, of, text } from '../../../shared/graphql/fields.js';

export const BatchModeEnum = describeEnum<BatchMode>(
  'CreditBatchMode',
  'What becomes of the eligible contracts of a batch where others are not.',
  {
    ALL_OR_NOTHING: 'One contract with an error rejects the whole batch.',
    ELIGIBLE_ONLY: 'Contracts without errors are assigned; the others are refused, each with its errors.',
  },
  { ALL_OR_NOTHING: ['Tudo ou nada', 'All or nothing'], ELIGIBLE_ONLY: ['Só os elegíveis', 'Eligible only'] },
);

export const modeText = 'What becomes of the eligible contracts where others are not';

// Resolvers add its estate, its errors and its receivables.
@ObjectType({ simpleResolvers: true, description: 'Credits that an originator assigns to an estate together.' })
@Directive('@key(fields: "id")')
export class CreditBatch extends fields({
  ...ofSender,
  id: id('Id (UUID)'),
  patrimonyId: id('Id of the estate that receives the credits'),
  name: text('Name of the batch, which its assets show as `batchName`'),
  status: of(() => BatchStatusEnum, 'Status of the batch'),
  receivableCount: int('Number of contracts in the batch'),
  totalFaceValue: decimal('Total face value of the contracts, without values below 0, in BRL with 2 decimals'),
  totalPurchasePrice: nullable.decimal(
    'Sum of the prices that the contracts state, in BRL with 2 decimals; null where none does',
  ),
  mode: of(() => BatchModeEnum, 'What becomes of its eligible contracts where others are not'),
  acceptedCount: nullable.int(
    'Number of contracts that passed the checks; 0 of a rejected batch, null until it is decided',
  ),
  acceptedFaceValue: nullable.decimal('Their face value, in BRL with 2 decimals; null likewise'),
  acceptedPurchasePrice: nullable.decimal(
    'Sum of the prices that they state, in BRL with 2 decimals; null likewise, and without prices',
  ),
  refusedCount: nullable.int('Number of the other contracts; null until the batch is decided'),
  refusedFaceValue: nullable.decimal('Their face value, in BRL with 2 decimals; null likewise'),
  remadeFromId: nullable.id(
    'Id of the rejected batch of which it has the contracts without errors; null for any other',
  ),
  ...ofRejection,
  errorCount: int('Number of errors of single contracts, when the batch was rejected or some were refused'),
  ...ofCourse,
}) {}

@InputType({ description: 'Filter of a list of credit batches. A field that is omitted does not restrict the list.' })
export class CreditBatchFilter extends inputs({
  status: nullable.of(() => BatchStatusEnum, 'Only batches with this status'),
  number: nullable.int('Only batches with this number, of any year'),
  patrimonyId: nullable.id('Only batches for the estate with this id'),
  from: nullable.day('Only batches created on this day or later, in São Paulo'),
  to: nullable.day('Only batches created on this day or earlier, in São Paulo'),
}) {}
