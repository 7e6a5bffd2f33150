import { Field, ID, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar } from '../../../shared/graphql/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A public document of an operation.' })
export class OperationDocument {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Name' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'Type, a free label' })
  type!: string | null;

  @Field(() => String, { nullable: true, description: 'Public URL of the file' })
  url!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day to which the content refers' })
  referenceDate!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of publication' })
  createdAt!: Date;
}
