import { Field, ID, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { CommunicationKind } from './communication.js';

export const CommunicationKindEnum = describeEnum<CommunicationKind>(
  'CommunicationKind',
  'Kind of a communication to the holders.',
  {
    NOTICE: 'Notice (comunicado)',
    MATERIAL_FACT: 'Material fact (fato relevante)',
  },
  { NOTICE: ['Comunicado', 'Notice'], MATERIAL_FACT: ['Fato relevante', 'Material fact'] },
);

@ObjectType({ simpleResolvers: true, description: 'A notice or material fact.' })
export class Communication {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => CommunicationKindEnum, { description: 'Kind of the communication' })
  kind!: CommunicationKind;

  @Field(() => DateScalar, { description: 'Date' })
  date!: string;

  @Field(() => String, { description: 'Title' })
  title!: string;

  @Field(() => String, { description: 'Text; may be empty' })
  description!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of its last correction; null while it is as it was published',
  })
  correctedAt!: Date | null;
}
