import 'reflect-metadata';
import { ObjectType } from 'type-graphql';
import { fields, flag, id, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description: 'A passkey (WebAuthn), by which its owner logs in or proves to be there.',
})
export class Passkey extends fields({
  id: id('Id (UUID).'),
  name: text('Name that its owner gave it.'),
  createdAt: time('Time at which it was added.'),
  lastUsedAt: nullable.time('Time of its last use; null before the first one.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The second factors of the owner of a session.' })
export class SecondFactors extends fields({
  passkeys: list(() => Passkey, 'Passkeys, oldest first; at most 20.', { assumedSize: 5 }),
  totpSince: nullable.time('Time at which an authenticator application (TOTP) was added; null when there is none.'),
  recoveryCodesLeft: int('Number of recovery codes that were not used.'),
  required: flag(
    'Whether a second factor is required: of operators, of trading credentials, and of accounts linked with an originator.',
  ),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A secret for an authenticator application (TOTP, RFC 6238). It is shown once.',
})
export class NewTotp extends fields({
  secret: text('The secret in base32, for typing.'),
  address: text('The same as an `otpauth://` address, for a QR code.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'The second factors after one was added or the recovery codes were replaced.',
})
export class ChangedFactors extends fields({
  factors: of(() => SecondFactors, 'The second factors now.'),
  recoveryCodes: list<string>(
    () => String,
    'New recovery codes, each of which works once; shown only here. Empty when there are no new ones.',
    { assumedSize: 10 },
  ),
}) {}
