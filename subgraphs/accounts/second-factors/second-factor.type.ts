import 'reflect-metadata';
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type { PasskeyRow } from './factor.store.js';

@ObjectType({
  simpleResolvers: true,
  description: 'A passkey (WebAuthn), by which its owner logs in or proves to be there.',
})
export class Passkey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'Name that its owner gave it.' })
  name!: string;

  @Field(() => Date, { description: 'Time at which it was added.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of its last use; null before the first one.' })
  lastUsedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'The second factors of the owner of a session.' })
export class SecondFactors {
  @Directive('@listSize(assumedSize: 5)')
  @Field(() => [Passkey], { description: 'Passkeys, oldest first; at most 20.' })
  passkeys!: readonly PasskeyRow[];

  @Field(() => Date, {
    nullable: true,
    description: 'Time at which an authenticator application (TOTP) was added; null when there is none.',
  })
  totpSince!: Date | null;

  @Field(() => Int, { description: 'Number of recovery codes that were not used.' })
  recoveryCodesLeft!: number;

  @Field(() => Boolean, {
    description:
      'Whether a second factor is required: of operators, of trading credentials, and of accounts linked with an originator.',
  })
  required!: boolean;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A secret for an authenticator application (TOTP, RFC 6238). It is shown once.',
})
export class NewTotp {
  @Field(() => String, { description: 'The secret in base32, for typing.' })
  secret!: string;

  @Field(() => String, { description: 'The same as an `otpauth://` address, for a QR code.' })
  address!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The second factors after one was added or the recovery codes were replaced.',
})
export class ChangedFactors {
  @Field(() => SecondFactors, { description: 'The second factors now.' })
  factors!: SecondFactors;

  @Directive('@listSize(assumedSize: 10)')
  @Field(() => [String], {
    description: 'New recovery codes, each of which works once; shown only here. Empty when there are no new ones.',
  })
  recoveryCodes!: readonly string[];
}
