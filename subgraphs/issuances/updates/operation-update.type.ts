import { Field, ID, ObjectType } from 'type-graphql';
import { cursorDescription } from '../../../shared/graphql/event-args.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { Operation } from '../operations/operation.type.js';
import type { UpdateKind } from './operation-update.js';

export const UpdateKindEnum = describeEnum<UpdateKind>(
  'OperationUpdateKind',
  'Kind of published data about an operation.',
  {
    PU: 'Unit prices',
    PAYMENT: 'A payment was added or changed',
    DOCUMENT: 'A public document',
    COMMUNICATION: 'A notice or material fact',
    REPORT: 'The management report of a month was closed or reissued',
    OTHER: 'Any other published data; reported only for corrections',
  },
  {
    PU: ['Preço unitário', 'Unit price'],
    PAYMENT: ['Pagamento', 'Payment'],
    DOCUMENT: ['Documento', 'Document'],
    COMMUNICATION: ['Comunicado', 'Communication'],
    REPORT: ['Relatório', 'Report'],
    OTHER: ['Outro', 'Other'],
  },
);

@ObjectType({
  simpleResolvers: true,
  description: 'New or corrected data about an operation: of one kind, and of one series where it belongs to one.',
})
export class OperationUpdate {
  @Field(() => String, { description: cursorDescription })
  cursor!: string;

  @Field(() => UpdateKindEnum, { description: 'Kind of the data' })
  kind!: UpdateKind;

  @Field(() => DateTimeScalar, { description: 'Time of publication' })
  occurredAt!: string;

  @Field(() => String, {
    description:
      'Day of the data: the newest day among the prices, payments, documents or communications of the event, or the last day of the month of the report, `YYYY-MM-DD`',
  })
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Ticker of the series of the prices or payments; null when the data belongs to no series, and for a correction that removed it',
  })
  seriesTicker!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'For PU: the newest of the prices, of the day `reference`, in reais with 8 decimals. Null for other kinds, and for a correction that removed prices',
  })
  unitPrice!: string | null;

  @Field(() => [ID], {
    description:
      'Ids of the payments, documents or communications that were added, changed or removed: the newest 100. Empty for other kinds: a unit price is identified by its series and day',
  })
  entityIds!: readonly string[];

  @Field(() => Boolean, {
    description: 'Whether published data was changed or removed. New data is reported in an event of its own',
  })
  correction!: boolean;

  @Field(() => String, { nullable: true, description: 'Reason for the correction; null when none was given' })
  reason!: string | null;

  @Field(() => Operation, { description: 'The operation in its current state' })
  operation!: Operation;
}
