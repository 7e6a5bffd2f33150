import { Arg, Args, ArgsType, Ctx, Directive, FieldResolver, Int, Query, Resolver, Root, Mutation } from 'type-graphql';
import { args, id, nullable, of, text } from '../../../shared/graphql/fields.js';
import type { Context } from '../../../shared/kernel/context.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { refuse, errorAt, type Ruled } from '../../../shared/kernel/errors.js';
import { identifyingText, isName } from '../../../shared/kernel/identifying-text.js';
import { Access } from '../../../shared/graphql/access.js';
import { maxFileLength } from '../../../shared/graphql/constraint.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readScope } from '../originators/visible-originators.js';
import { asOriginator, actAsOriginator } from '../originators/acting-originator.js';
import {
  checkAssignmentFile,
  checkSettlementFile,
  withFoundValues,
  type FoundError,
  type FileCheck,
} from './files.acts.js';
import { errorFile, type ErrorLanguage } from './error-file.js';
import { BatchFileCheck, BatchFileError, ErrorLanguageEnum, FileFormatEnum } from './file-check.type.js';
import { placeText } from './file-errors.js';
import { toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { BatchModeEnum, CreditBatch, modeText } from '../credit-batches/credit-batch.type.js';
import { toSettlementBatch, type SettlementBatchShape } from '../settlement-batches/settlement-batch.graph.js';
import { SettlementBatch } from '../settlement-batches/settlement-batch.type.js';
import { createCreditBatchFromFile, createSettlementBatchFromFile } from './create-from-file.js';

const originatorText =
  'Id of the client that sends the file; can be omitted by the client itself, and by an account that is linked with only one';

const fileNameText = 'Name of the file, by which people find its batch: at most 200 characters that can be seen';

const ofFile = (lines: string) => ({
  format: of(() => FileFormatEnum, 'Format of the file'),
  file: text(`The file, with 1 to 50,000 ${lines}`, { maxLength: maxFileLength }),
  originatorId: nullable.id(originatorText),
});
const ofMode = { mode: of(() => BatchModeEnum, modeText, { defaultValue: 'ALL_OR_NOTHING' }) };
const ofName = { fileName: nullable.text(fileNameText, { maxLength: 200 }) };

@ArgsType()
class SentAssignmentArgs extends args({
  patrimonyId: id('Id of the estate that receives the credits (UUID)'),
  ...ofFile('contracts'),
  ...ofMode,
  ...ofName,
}) {}

@ArgsType()
class AssignmentCheckArgs extends args({
  patrimonyId: id('Id of the estate that is to receive the credits (UUID)'),
  ...ofFile('contracts'),
  ...ofMode,
}) {}

const ofSettlements = {
  creditBatchId: id('Id of the credit batch that assigned the contracts (UUID)'),
  ...ofFile('payments'),
};

@ArgsType()
class SentSettlementArgs extends args({ ...ofSettlements, ...ofName }) {}

@ArgsType()
class SettlementCheckArgs extends args(ofSettlements) {}

/** Returns the name of a file in the form in which it is stored, which may be longer than as it was sent. @throws {ApiError} BAD_REQUEST */
function nameOf(fileName: string | null | undefined): string | null {
  const name = fileName == null ? '' : identifyingText(fileName);
  refuse(
    'BAD_REQUEST',
    name === '' || isName(name, 200) ? [] : [errorAt('fileName', 'PRINTABLE_LENGTH', { min: 1, max: 200 })],
  );
  return name || null;
}

const errorsText =
  'Errors: 403 for an account that may not send for the client; 404 for a client that the caller may not see; those of';

@Resolver()
export class SendFileResolver {
  @Access('sender')
  @Mutation(() => CreditBatch, {
    description: `Creates a credit batch in DRAFT from an assignment file. REST: POST /tidc/v1/credit-batches as text. ${errorsText} \`createCreditBatch\`, by place in the file.`,
  })
  async createCreditBatchFromFile(
    @Ctx() context: Context,
    @Args(() => SentAssignmentArgs) { patrimonyId, format, file, originatorId, mode, fileName }: SentAssignmentArgs,
  ): Promise<CreditBatchShape> {
    const sent = { format, text: file, name: nameOf(fileName) };
    const named = { action: 'createCreditBatchFromFile', type: 'creditBatch' } as const;
    const act = (client: Context) => createCreditBatchFromFile(client, patrimonyId, sent, mode);
    return toCreditBatch(await actAsOriginator(context, originatorId ?? null, named, act));
  }

  @Access('sender')
  @Mutation(() => SettlementBatch, {
    description: `Creates a settlement batch in DRAFT from a settlement file, which identifies contracts by their external ids. REST: POST /tidc/v1/settlement-batches as text. ${errorsText} \`createSettlementBatch\`, by place in the file; 422 for a contract that is not in the credit batch.`,
  })
  async createSettlementBatchFromFile(
    @Ctx() context: Context,
    @Args(() => SentSettlementArgs) { creditBatchId, format, file, originatorId, fileName }: SentSettlementArgs,
  ): Promise<SettlementBatchShape> {
    const sent = { format, text: file, name: nameOf(fileName) };
    const named = { action: 'createSettlementBatchFromFile', type: 'settlementBatch' } as const;
    const act = (client: Context) => createSettlementBatchFromFile(client, creditBatchId, sent);
    return toSettlementBatch(await actAsOriginator(context, originatorId ?? null, named, act));
  }
}

type CheckShape = Shape<BatchFileCheck> & {
  readonly check: FileCheck;
  readonly found: readonly FoundError[];
};

@Resolver(() => BatchFileCheck)
export class FileCheckResolver {
  @Access('originator', readScope)
  @Query(() => BatchFileCheck, {
    description:
      'Checks an assignment file as sending it and processing its batch would, and lists everything that is wrong with it; writes nothing. REST: POST /tidc/v1/credit-batches/check-file. Errors: 404 for a client that the caller may not see. What is wrong with the file is part of the result.',
  })
  async checkAssignmentFile(
    @Ctx() context: Context,
    @Args(() => AssignmentCheckArgs) { patrimonyId, format, file, originatorId, mode }: AssignmentCheckArgs,
  ): Promise<CheckShape> {
    const client = await asOriginator(context, originatorId ?? null);
    return shapeOf(await checkAssignmentFile(client, patrimonyId, { format, text: file }, mode));
  }

  @Access('originator', readScope)
  @Query(() => BatchFileCheck, {
    description:
      'Checks a settlement file as sending it would, and lists everything that is wrong with it; writes nothing. REST: POST /tidc/v1/settlement-batches/check-file. Errors: 404 for a client that the caller may not see. What is wrong with the file, or with the credit batch, is part of the result.',
  })
  async checkSettlementFile(
    @Ctx() context: Context,
    @Args(() => SettlementCheckArgs) { creditBatchId, format, file, originatorId }: SettlementCheckArgs,
  ): Promise<CheckShape> {
    const client = await asOriginator(context, originatorId ?? null);
    return shapeOf(await checkSettlementFile(client, creditBatchId, { format, text: file }));
  }

  @Directive('@listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)')
  @FieldResolver(() => [BatchFileError], {
    description: 'The first errors, in the order of their lines. Errors: 400 for `first` out of bounds.',
  })
  errors(
    @Root() { found }: CheckShape,
    @Arg('first', () => Int, { defaultValue: 100, description: 'How many, 1 to 1,000' }) first: number,
  ): BatchFileError[] {
    requireBounds({ name: 'first', value: first, min: 1, max: 1_000 });
    return found.slice(0, first).map(({ rule, value, ...place }) => ({
      line: place.line,
      fromColumn: place.columns?.from ?? null,
      toColumn: place.columns?.to ?? null,
      field: place.field ?? null,
      value,
      rule: rule.code,
      place: placeText(place),
      message: rule.message,
      messagePt: rule.messagePt,
    }));
  }

  @FieldResolver(() => String, {
    description:
      'The file with a column for the errors of each line, as CSV: a CSV file with its own columns; a CNAB 444 file, whose records have no room for more, as number of the line, record and errors. It has the first 10,000 errors. Cells that a spreadsheet would read as formulas begin with an apostrophe.',
  })
  errorFile(
    @Root() { check: { format, text }, found }: CheckShape,
    @Arg('language', () => ErrorLanguageEnum, { defaultValue: 'PT_BR', description: 'Language of the errors' })
    language: ErrorLanguage,
  ): Promise<string> {
    return errorFile({ format, text }, found, language);
  }
}

async function shapeOf(check: FileCheck): Promise<CheckShape> {
  const { lineCount, total, totalAbated, refusal, rejection, errors } = check;
  const found = await withFoundValues(check, errors.first);
  return {
    lineCount,
    total,
    totalAbated,
    accepted: refusal === undefined,
    refusal:
      refusal === undefined
        ? null
        : {
            statusCode: refusal.status,
            code: refusal.code,
            message: refusal.message,
            ...ruleIn(refusal.extensions),
            details: (refusal.extensions.details ?? []).map((detail) => ({ ...detail, ...ruleIn(detail) })),
          },
    eligible: rejection === undefined ? null : rejection === null,
    rejectionReason: rejection?.reason ?? null,
    rejectionRules: rejection?.rules ?? null,
    errorCount: errors.count,
    check,
    found,
  };
}

/** Returns the rule of an error, null for one without, and its values. */
function ruleIn({ rule, values = [] }: Ruled) {
  return { rule: rule ?? null, values };
}
