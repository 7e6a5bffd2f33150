import { Field, ID, ObjectType } from 'type-graphql';
import type { OwnerType } from '../accounts/account.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';

@ObjectType({ simpleResolvers: true, description: 'An account, as operators see it.' })
export class ManagedAccount {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'E-mail address as it was registered, or as the portal reported it.' })
  email!: string;

  @Field(() => OwnerTypeEnum, { description: 'Origin of the account.' })
  ownerType!: OwnerType;

  @Field(() => Date, { description: 'Time of registration; for an account of the portal, time of its first login.' })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time of the confirmation of its e-mail; null while it is not confirmed.',
  })
  confirmedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Time at which it was disabled; null unless it is disabled.' })
  disabledAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for which it is disabled, for operators; it is not shown to its owner.',
  })
  disabledReason!: string | null;
}
