import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'A company with a role in an operation.' })
export class Participant {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'URL of its logo' })
  logoUrl!: string | null;

  @Field(() => [String], { description: 'Its roles in the operation' })
  functions!: readonly string[];
}
