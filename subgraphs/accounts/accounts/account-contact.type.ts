import { Directive, Field, ID, ObjectType } from 'type-graphql';

@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'An account to which something belongs, as operators see it.' })
export class AccountContact {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Its e-mail address; null for operators without the role `administer`, and where the account was deleted.',
  })
  email!: string | null;
}
