import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
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

@ObjectType({ simpleResolvers: true, description: 'New or corrected data about an operation.' })
export class OperationUpdate {
  @Field(() => UpdateKindEnum, { description: 'Kind of the data' })
  kind!: UpdateKind;

  @Field(() => DateTimeScalar, { description: 'Time of publication' })
  occurredAt!: string;

  @Field(() => String, {
    description:
      'Day of the data: the newest day among the prices, payments, documents or communications, or the last day of the month of the report, `YYYY-MM-DD`',
  })
  reference!: string;

  @Field(() => Boolean, {
    description:
      'Whether published data was changed or removed; `operationCorrections` has the details. New data is reported in an event of its own',
  })
  correction!: boolean;

  @Field(() => String, { nullable: true, description: 'Reason for the correction; null when none was given' })
  reason!: string | null;

  @Field(() => Operation, { description: 'The operation in its current state' })
  operation!: Operation;
}
