import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { ProfileStatus, TaxIdType } from './profile.js';
import type { ListedProfile } from './profile.store.js';
import { fields, id, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

export const ProfileStatusEnum = describeEnum<ProfileStatus>(
  'ProfileStatus',
  'Status of a profile.',
  {
    ACTIVE: 'Everything that the credential of its company permits.',
    SUSPENDED:
      'The profile can read and cancel. Requests that open something new, such as orders, are rejected with 403.',
  },
  { ACTIVE: ['Ativo', 'Active'], SUSPENDED: ['Suspenso', 'Suspended'] },
);

export const TaxIdTypeEnum = describeEnum<TaxIdType>(
  'TaxIdType',
  'Type of a Brazilian tax id.',
  {
    CPF: 'Of a natural person, 11 digits.',
    CNPJ: 'Of a legal person, 14 characters.',
  },
  { CPF: ['CPF', 'CPF'], CNPJ: ['CNPJ', 'CNPJ'] },
);

// The documented response: it has no other fields, since SOFA shows every field.
@ObjectType({ simpleResolvers: true, description: 'A client of a company, for whom the company trades.' })
export class Profile extends fields({
  id: id('Id (UUID), which requests send as `X-Profile-Id` or `profileId`.'),
  name: text('Name of the person.'),
  document: text('CPF or CNPJ, without punctuation.'),
  status: of(() => ProfileStatusEnum, 'Whether orders, quotes and withdrawals may be opened for this client.'),
  walletId: id('Id of its wallet (UUID); of the synthetic wallet when the request is synthetic.'),
  createdAt: time('Time of creation.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A page of profiles.' })
export class ProfileList extends fields({
  profiles: list(() => Profile, 'The profiles of this page, oldest first.'),
  nextToken: nullable.text('Token to pass for the next page; null on the last page (omitted over REST).'),
}) {}

export function toProfile({ id, name, taxId, status, walletId, createdAt }: ListedProfile): Shape<Profile> {
  return { id, name, document: taxId, status, walletId, createdAt };
}
