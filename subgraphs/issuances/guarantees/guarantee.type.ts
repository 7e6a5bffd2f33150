import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'A guarantee of an operation.' })
export class Guarantee {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Type: Alienação fiduciária, Fiança…' })
  type!: string;

  @Field(() => String, { description: 'Description; may be empty' })
  description!: string;

  @Field(() => String, { description: 'Status, a free label' })
  status!: string;
}
