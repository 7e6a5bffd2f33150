import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { Operation } from '../operations/operation.type.js';
import type { UpdateKind } from './operation-update.js';

export const UpdateKindEnum = describeEnum<UpdateKind>(
  'OperationUpdateKind',
  'What was published about an operation.',
  {
    PU: 'Unit prices',
    PAYMENT: 'A payment, or news of one',
    DOCUMENT: 'A public document',
    COMMUNICATION: 'A notice or material fact',
    REPORT: 'The management report of a month is final, or was issued again',
    OTHER: 'Anything else that is published of it; told when it is corrected',
  },
);

@ObjectType({ simpleResolvers: true, description: 'Something new was published about an operation, or was corrected.' })
export class OperationUpdate {
  @Field(() => UpdateKindEnum, { description: 'What it is' })
  kind!: UpdateKind;

  @Field(() => DateTimeScalar, { description: 'When it was published' })
  occurredAt!: string;

  @Field(() => String, {
    description:
      'What it is about: the newest day among the prices, payments, documents or communications, or the last day of the month of the report, `YYYY-MM-DD`',
  })
  reference!: string;

  @Field(() => Boolean, {
    description:
      'Whether something that had been published was changed or removed; `operationCorrections` tells what. What is new comes in an event of its own',
  })
  correction!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it was corrected; null where no reason was given' })
  reason!: string | null;

  @Field(() => Operation, { description: 'The operation, as it is now' })
  operation!: Operation;
}
