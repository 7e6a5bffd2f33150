import { ObjectType, Directive } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { OwnerType } from './account.js';
import type { AccountFace } from './account.store.js';
import { fields, id, nullable, of, text } from '../../../shared/graphql/fields.js';

export const OwnerTypeEnum = describeEnum<OwnerType>(
  'OwnerType',
  'Origin of an account.',
  {
    EMISSOES_USER: 'Registered in this service.',
    AGENT_USER: "An account of the issuer's portal, which manages its password.",
  },
  { EMISSOES_USER: ['Cadastro próprio', 'Registered here'], AGENT_USER: ['Portal do emissor', 'Issuer portal'] },
);

@ObjectType({
  simpleResolvers: true,
  description: 'Message about an account operation. It never reveals whether an e-mail has an account.',
})
export class Message extends fields({
  message: text('Text for the user, in English.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The account of a person, who is the user of a session.' })
export class SessionUser extends fields({
  id: id('Id (UUID).'),
  email: text('E-mail address as it was registered; compared without regard to case.'),
  name: text('Name of the person who uses the API.'),
  company: nullable.text("Company or institution; null for accounts of the issuer's portal."),
  ownerType: of(() => OwnerTypeEnum, 'Origin of the account.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A session, which starts with a login or the confirmation of an e-mail.',
})
export class Session extends fields({
  accessToken: text(
    'Session token, a JWT that is valid for 12 hours. Send it as `Authorization: Bearer <token>`. It ends early by a logout, when its owner ends it, when the password is changed or reset, and when it is the oldest of more than 50 open sessions of the account.',
  ),
  user: of(() => SessionUser, 'Account of the session.'),
}) {}

export function toSessionUser({ id, email, name, company, ownerType }: AccountFace): Readonly<SessionUser> {
  return { id, email, name, company, ownerType };
}

@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'An account to which something belongs, as operators see it.' })
export class AccountContact extends fields({
  id: id('Id (UUID).'),
  email: nullable.text(
    'Its e-mail address; null for operators without the role `administer`, and where the account was deleted.',
  ),
}) {}
