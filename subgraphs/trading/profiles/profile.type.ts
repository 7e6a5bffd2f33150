import { Field, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { ProfileStatus, TaxIdType } from './profile.js';
import type { ListedProfile } from './profile.store.js';

export const ProfileStatusEnum = describeEnum<ProfileStatus>('ProfileStatus', 'What a profile may do.', {
  ACTIVE: 'All that the credential of its company permits.',
  SUSPENDED: 'Read and cancel. Whatever opens something new gets 403.',
});

export const TaxIdTypeEnum = describeEnum<TaxIdType>('TaxIdType', 'The kinds of Brazilian tax ids.', {
  CPF: 'Of a natural person, 11 digits.',
  CNPJ: 'Of a legal person, 14 characters.',
});

// The documented response: it has no other fields, since SOFA shows every field.
@ObjectType({ simpleResolvers: true, description: 'A client of a company, for whom it trades.' })
export class Profile {
  @Field(() => ID, { description: 'UUID: what calls send as `X-Profile-Id`, or `profileId`.' })
  id!: string;

  @Field(() => String, { description: 'Name of the person.' })
  name!: string;

  @Field(() => String, { description: 'CPF or CNPJ, without punctuation.' })
  document!: string;

  @Field(() => ProfileStatusEnum, { description: 'Whether it may open anything new.' })
  status!: ProfileStatus;

  @Field(() => ID, { description: 'Id of its wallet (UUID): of the synthetic one where the call is synthetic.' })
  walletId!: string;

  @Field(() => Date, { description: 'When it was opened.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A page of profiles.' })
export class ProfileList {
  @Field(() => [Profile], { description: 'The profiles of this page, the oldest first.' })
  profiles!: readonly Profile[];

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out).',
  })
  nextToken!: string | null;
}

export function toProfile({ id, name, taxId, status, walletId, createdAt }: ListedProfile): Shape<Profile> {
  return { id, name, document: taxId, status, walletId, createdAt };
}
