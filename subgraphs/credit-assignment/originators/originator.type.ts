import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { OriginatorKeyRow } from './originator-key.store.js';
import type { OriginatorStatus } from './originator.js';
import type { OriginatorRow } from './originator.store.js';

export const OriginatorStatusEnum = describeEnum<OriginatorStatus>('OriginatorStatus', 'Whether a client is let in.', {
  ACTIVE: 'Its signed requests are let in.',
  SUSPENDED: 'None of its requests is let in: they are answered as if it had no key.',
});

@ObjectType({ simpleResolvers: true, description: 'A public key by which a client may sign.' })
export class OriginatorKey {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, {
    description:
      'SHA-256 of the key in DER (SubjectPublicKeyInfo), in hexadecimal: `openssl pkey -pubin -in public.pem -outform DER | sha256sum`.',
  })
  fingerprint!: string;

  @Field(() => Int, { description: 'Length of the modulus in bits.' })
  bits!: number;

  @Field(() => Date, { description: 'When it was registered.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was revoked; null while it is not.' })
  revokedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A client of the credit-assignment interface. It signs its requests.',
})
export class Originator {
  @Field(() => ID, { description: 'UUID: what it sends as `X-Client-Id`.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The account whose people and keys may look at its batches, and whose webhooks are told of them.',
  })
  accountId!: string | null;

  @Field(() => Int, { nullable: true, description: 'Requests a minute; null is what the configuration says.' })
  rateLimit!: number | null;

  @Field(() => OriginatorStatusEnum, { description: 'ACTIVE, or SUSPENDED: then none of its requests is let in.' })
  status!: OriginatorStatus;

  @Field(() => Date, { description: 'When it was onboarded.' })
  createdAt!: Date;
}

/** A client without its keys, which have a field resolver. */
export type OriginatorShape = Readonly<
  Pick<Originator, 'id' | 'name' | 'accountId' | 'rateLimit' | 'status' | 'createdAt'>
>;

export function toOriginator(row: OriginatorRow): OriginatorShape {
  const { id, name, accountId, rateLimit, status, createdAt } = row;
  return { id, name, accountId, rateLimit, status, createdAt };
}

export function toOriginatorKey(row: OriginatorKeyRow): Readonly<OriginatorKey> {
  const { id, fingerprint, bits, createdAt, revokedAt } = row;
  return { id, fingerprint: fingerprint.toString('hex'), bits, createdAt, revokedAt };
}
