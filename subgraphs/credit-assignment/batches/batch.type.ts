import { ObjectType, type ClassType, ArgsType } from 'type-graphql';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { cursorDescription } from '../../../shared/graphql/event-args.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { linePage } from './check-lines.js';
import type { RuleValue } from '../../../shared/kernel/errors.js';
import { InputErrorValue } from '../../../shared/graphql/rule-value.type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { BatchStatus } from './transitions.js';
import type { ActivityActor } from '../activity/activity.js';
import { ActivityActorEnum } from '../activity/activity.type.js';
import { args, fields, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

export interface BatchNames {
  /** The type of a batch: `CreditBatch`. */
  readonly type: string;
  /** Batches in descriptions: `credit batches`. */
  readonly batches: string;
  /** A line in descriptions: `contract`. */
  readonly line: string;
}

export interface BatchClasses<Batch extends object> {
  readonly Batch: ClassType<Batch>;
  readonly Change: object;
  readonly errorPath: string;
  /** Whether the line of an error may have no external id. */
  readonly unnamedLines: boolean;
}

/** Creates the GraphQL types that are alike for all kinds: connection, error and update. */
export function batchTypes<Batch extends object>(
  { type, batches, line }: BatchNames,
  { Batch, Change, errorPath, unnamedLines }: BatchClasses<Batch>,
) {
  const recorded = '; null for errors that were recorded without it';
  const ofError = `An error of a ${line} of a batch, for which it was refused or the batch rejected.`;
  @ObjectType(`${type}Error`, { simpleResolvers: true, description: ofError })
  class BatchError extends fields({
    index: int(`Position of the ${line} in the batch, from 0`),
    externalId: (unnamedLines ? nullable.text : text)("Identifier of the contract in the originator's system"),
    path: text(`Path of the field with the error, such as \`${errorPath}\``),
    message: text('Description of the error'),
    field: nullable.text(`Field of the ${line}${recorded}`),
    rule: nullable.text(`Code of the rule, such as \`CHECK_DIGITS\`${recorded}`),
    messagePt: nullable.text(`Description in Brazilian Portuguese${recorded}`),
  }) {}

  const ofUpdate = `An event of one of the ${batches}, sent when it happens.`;
  @ObjectType(`${type}Update`, { simpleResolvers: true, description: ofUpdate })
  class Update extends fields({
    cursor: text(cursorDescription),
    kind: of<string>(() => Change, 'Kind of the event'),
    occurredAt: of<string>(() => DateTimeScalar, 'Time of the event'),
    batch: of(() => Batch, 'The batch in its current state'),
  }) {}

  const Connection = connectionType(Batch, { name: type, nodes: batches, order: 'newest first', documented: 'number' });
  return { Connection, Error: BatchError, Update };
}

export const BatchStatusEnum = describeEnum<BatchStatus>(
  'BatchStatus',
  'Status of a batch.',
  {
    DRAFT: 'The batch can be changed, submitted and cancelled.',
    SUBMITTED: 'The batch is about to be processed; until then it can be cancelled.',
    PROCESSING: 'The batch is being checked and applied.',
    PROCESSED: 'The batch was accepted and applied; a credit batch by ELIGIBLE_ONLY without its refused contracts.',
    REJECTED: 'The whole batch was rejected.',
    CANCELLED: 'The originator cancelled the batch.',
  },
  {
    DRAFT: ['Rascunho', 'Draft'],
    SUBMITTED: ['Enviado', 'Submitted'],
    PROCESSING: ['Em processamento', 'Processing'],
    PROCESSED: ['Processado', 'Processed'],
    REJECTED: ['Rejeitado', 'Rejected'],
    CANCELLED: ['Cancelado', 'Cancelled'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'A rule for which a batch is rejected as a whole.' })
export class RejectionRule extends fields({
  rule: text('Stable code of the rule, such as `CONTRACTS_ASSIGNED`'),
  values: list<RuleValue>(() => InputErrorValue, 'The values that its text names, such as `count` and `total`'),
}) {}

/** The page of the lines of a batch: all of them, where a caller asks for as many. */
@ArgsType()
export class LinePageArgs extends args({
  ...ofPage(linePage),
}) {}

/** Where a batch of any kind comes from. */
export const ofSender = {
  number: int('Number among all batches of the client in the year of its creation in São Paulo, from 1: `Lote 0007`'),
  sender: of<ActivityActor>(() => ActivityActorEnum, 'Who sent it'),
  senderKey: nullable.text(
    'SHA-256 of the key of the signed request that sent it, in DER, in hexadecimal; null for others',
  ),
  fileName: nullable.text('Name of the file in which it was sent; null without a file, and for a file without a name'),
  firstLine: nullable.int(
    'Number of its first line in that file, from 1; null where the others do not follow one by one',
  ),
};

/** Why a batch of any kind was rejected. */
export const ofRejection = {
  rejectionReason: nullable.text('Reason for the rejection; null unless the batch was rejected'),
  rejectionRules: nullable.list(
    () => RejectionRule,
    'The rules of which `rejectionReason` is made, for texts in other languages; null unless the batch was rejected',
  ),
};

/** Timestamps of a batch of any kind. */
export const ofCourse = {
  createdAt: time('Time of creation'),
  submittedAt: nullable.time('Time of submission; null until then'),
  processAfter: nullable.time('Time until which a submitted batch can be cancelled; null before its submission'),
  processedAt: nullable.time('Time at which the batch was processed or rejected; null until then'),
  cancelledAt: nullable.time('Time of cancellation; null unless the batch was cancelled'),
};
