import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { OriginatorKeyRow } from './originator-key.store.js';
import type { OriginatorStatus } from './originator.js';
import type { OriginatorRow } from './originator.store.js';

export const OriginatorStatusEnum = describeEnum<OriginatorStatus>(
  'OriginatorStatus',
  'Status of a client.',
  {
    ACTIVE: 'Its signed requests are accepted.',
    SUSPENDED: 'All of its requests are rejected, as if it had no key.',
  },
  { ACTIVE: ['Ativo', 'Active'], SUSPENDED: ['Suspenso', 'Suspended'] },
);

@ObjectType({ simpleResolvers: true, description: 'A public key that verifies the signatures of a client.' })
export class OriginatorKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, {
    description:
      'SHA-256 of the key in DER (SubjectPublicKeyInfo), in hexadecimal: `openssl pkey -pubin -in public.pem -outform DER | sha256sum`.',
  })
  fingerprint!: string;

  @Field(() => Int, { description: 'Length of the modulus in bits.' })
  bits!: number;

  @Field(() => Date, { description: 'Time of registration.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of revocation; null for a valid key.' })
  revokedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A client of the credit-assignment API, which signs its requests.',
})
export class Originator {
  @Field(() => ID, { description: 'Id (UUID), which the client sends as `X-Client-Id`.' })
  id!: string;

  @Field(() => String, { description: 'Name of the client.' })
  name!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the account whose members and API keys may read the batches of the client, and whose webhooks receive their events.',
  })
  accountId!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether people of the account may send files and submit or cancel batches for the client, in a browser’s session with a second factor.',
  })
  accountMaySend!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of requests per minute; null for the configured default.',
  })
  rateLimit!: number | null;

  @Field(() => OriginatorStatusEnum, {
    description: 'ACTIVE or SUSPENDED; all requests of a suspended client are rejected.',
  })
  status!: OriginatorStatus;

  @Field(() => Date, { description: 'Time of onboarding.' })
  createdAt!: Date;
}

/** A client without its keys, which have a field resolver. */
export type OriginatorShape = Readonly<
  Pick<Originator, 'id' | 'name' | 'accountId' | 'accountMaySend' | 'rateLimit' | 'status' | 'createdAt'>
>;

export function toOriginator(row: OriginatorRow): OriginatorShape {
  const { id, name, accountId, accountMaySend, rateLimit, status, createdAt } = row;
  return { id, name, accountId, accountMaySend, rateLimit, status, createdAt };
}

export function toOriginatorKey(row: OriginatorKeyRow): Readonly<OriginatorKey> {
  const { id, fingerprint, bits, createdAt, revokedAt } = row;
  return { id, fingerprint: fingerprint.toString('hex'), bits, createdAt, revokedAt };
}
