import { Field, ID, ObjectType } from 'type-graphql';
import type { OwnerType } from '../accounts/account.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';

@ObjectType({ simpleResolvers: true, description: 'An account, as operators see it.' })
export class ManagedAccount {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'E-mail address as it was registered, or as the portal says.' })
  email!: string;

  @Field(() => OwnerTypeEnum, { description: 'Where the account comes from.' })
  ownerType!: OwnerType;

  @Field(() => Date, { description: 'When it was registered, or first came from the portal.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When its e-mail was confirmed; null while it is not.' })
  confirmedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Since when it is disabled; null while it is not.' })
  disabledAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it is disabled, for operators; its owner is not told.' })
  disabledReason!: string | null;
}
