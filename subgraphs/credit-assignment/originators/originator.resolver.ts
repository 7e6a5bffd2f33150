import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, ObjectType } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { countRejections } from '../credit-batches/credit-batch.store.js';
import {
  changeOriginator,
  addOwnKey,
  revokeOwnKey,
  addOriginator,
  addOriginatorKey,
  revokeOriginatorKey,
  permitOriginator,
  withdrawPermit,
  permitAccountToSend,
} from './originators.acts.js';
import { keysOf, permitsOf, type PermitRow, type OriginatorKeyRow } from './originator-key.store.js';
import type { OriginatorStatus } from './originator.js';
import { listOriginators, originatorsById, type OriginatorRow } from './originator.store.js';
import { Patrimony } from '../relations/entities.type.js';
import { readScope, visibleOriginators } from './visible-originators.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { fields, flag, id, int, nullable, of, text, time } from '../../../shared/graphql/fields.js';

const nameText = 'Name of the client, 1 to 200 characters.';
const keyText =
  'RSA public key in PEM, of 2048 to 8192 bits: `PUBLIC KEY`, `RSA PUBLIC KEY`, or a `CERTIFICATE` that contains it.';
const accountText = 'Id of the account whose members and API keys may read the batches of the client.';

@Resolver(() => Originator)
export class OriginatorResolver {
  /** @param forgetClient drops a client from the cache, so that its next request reads it again */
  constructor(private readonly forgetClient: (id: string) => void) {}

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Originator], { description: 'The clients of the credit-assignment API, newest first, at most 500.' })
  async originators(@Ctx() context: Context): Promise<OriginatorShape[]> {
    return (await listOriginators(context, 500)).map(toOriginator);
  }

  @Access('operator', 'read')
  @Query(() => Originator, {
    nullable: true,
    description: 'A client of the credit-assignment API; null when it does not exist.',
  })
  async originator(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the client (UUID).' }) id: string,
  ): Promise<OriginatorShape | null> {
    const [row] = isUuid(id) ? await originatorsById(context, [id]) : [];
    return row === undefined ? null : toOriginator(row);
  }

  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [OriginatorKey], {
    description: 'Keys of the client: those that are not revoked first, then by age, newest first; at most 50.',
  })
  async keys(@Root() { id }: OriginatorShape, @Ctx() context: Context): Promise<Readonly<OriginatorKey>[]> {
    return (await loaderOf(context, keysOf).load(id)).map(toOriginatorKey);
  }

  @FieldResolver(() => Int, {
    description: 'Number of its credit batches that were rejected in the last 7 days and not made again.',
  })
  recentRejections(@Root() { id }: OriginatorShape, @Ctx() context: Context): Promise<number> {
    return loaderOf(context, countRejections).load(id);
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Originator, {
    description:
      'Onboards a client, which can sign requests with the key at once. Errors: 400 for an invalid name or key; 409 for a key of another client.',
  })
  async addOriginator(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: nameText }) name: string,
    @AtMost({ maxLength: 16_384 })
    @Arg('publicKey', () => String, { description: keyText })
    publicKey: string,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description: 'Maximum number of requests per minute; the configured default when omitted.',
    })
    rateLimit: number | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: accountText }) accountId: string | null | undefined,
  ): Promise<OriginatorShape> {
    const request = { name, publicKey, rateLimit: rateLimit ?? null, accountId: accountId ?? null };
    return toOriginator(await addOriginator(context, request));
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => OriginatorKey, {
    description:
      'Adds a public key to a client, so that it can rotate its keys. Adding the same key again returns the existing one. Errors: 400 for an invalid key; 404; 409 for a key that was revoked or belongs to another client, and when the client has 10 keys.',
  })
  async addOriginatorKey(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: 'Id of the client.' }) originatorId: string,
    @AtMost({ maxLength: 16_384 })
    @Arg('publicKey', () => String, { description: keyText })
    publicKey: string,
  ): Promise<Readonly<OriginatorKey>> {
    return toOriginatorKey(await addOriginatorKey(context, this.forgetClient, originatorId, publicKey));
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Revokes a key permanently: within 1 second every instance rejects requests that it signed. Returns true, also for a key that was already revoked. Errors: 404.',
  })
  async revokeOriginatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeOriginatorKey(context, this.forgetClient, id);
    return true;
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Originator, {
    description:
      'Changes a client; fields that are omitted keep their values. `name` and `status` cannot be null. Errors: 400, 404.',
  })
  async changeOriginator(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the client.' }) id: string,
    @Arg('name', () => String, { nullable: true, description: nameText }) name: string | null | undefined,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description: 'Maximum number of requests per minute; null for the configured default.',
    })
    rateLimit: number | null | undefined,
    @Arg('status', () => OriginatorStatusEnum, { nullable: true, description: 'Whether its requests are accepted.' })
    status: OriginatorStatus | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: `${accountText} Null for none.` })
    accountId: string | null | undefined,
  ): Promise<OriginatorShape> {
    return toOriginator(await changeOriginator(context, this.forgetClient, id, { name, rateLimit, status, accountId }));
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Originator, {
    description:
      'Permits people of the account that is linked with a client to send files and to submit and cancel batches for it, or withdraws that. Another account for the client withdraws it too. Errors: 404; 422 for a client without an account.',
  })
  async permitAccountToSend(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: 'Id of the client.' }) originatorId: string,
    @Arg('permitted', () => Boolean, { description: 'Whether they may.' }) permitted: boolean,
  ): Promise<OriginatorShape> {
    return toOriginator(await permitAccountToSend(context, originatorId, permitted));
  }
}

const deniedText =
  '403 for an account that may not send for the client, and for a request that is not one of a browser’s session';

/** Signing keys of clients, as people of their account change them. */
@Resolver()
export class OwnKeyResolver {
  constructor(private readonly forgetClient: (id: string) => void) {}

  @Access('sender')
  @StepUp()
  @FormMutation()
  @Mutation(() => OriginatorKey, {
    description: `Registers a public key for a client of the account, beside its present keys; the account is told by mail. Adding the same key again returns the existing one. Errors: 400 for an invalid key; ${deniedText}; 404 for a client that the caller may not see; 409 for a key that was revoked or belongs to another client, and when the client has 10 keys.`,
  })
  async addMyOriginatorKey(
    @Ctx() context: Context,
    @AtMost({ maxLength: 16_384 })
    @Arg('publicKey', () => String, {
      description:
        'RSA public key in PEM, of 2048 to 8192 bits: `PUBLIC KEY`, `RSA PUBLIC KEY`, or a `CERTIFICATE` that contains it. The private key stays with the client.',
    })
    publicKey: string,
    @Arg('originatorId', () => ID, {
      nullable: true,
      description: 'Id of the client; can be omitted by an account that is linked with only one.',
    })
    originatorId: string | null | undefined,
  ): Promise<Readonly<OriginatorKey>> {
    const wish = { originatorId: originatorId ?? null, publicKey };
    return toOriginatorKey(await addOwnKey(context, this.forgetClient, wish));
  }

  @Access('sender')
  @StepUp()
  @Mutation(() => OriginatorKey, {
    description: `Revokes a key of a client of the account permanently: within 1 second every instance rejects requests that it signed. The account is told by mail. A key that was already revoked is returned as it is. Errors: ${deniedText}; 404 for a key that the caller may not see; 409 for the last valid key of the client without \`withoutSuccessor\`.`,
  })
  async revokeMyOriginatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Arg('withoutSuccessor', () => Boolean, {
      defaultValue: false,
      description:
        'Confirms that the last valid key may be revoked, after which no signed request of the client is accepted.',
    })
    withoutSuccessor: boolean,
  ): Promise<Readonly<OriginatorKey>> {
    return toOriginatorKey(await revokeOwnKey(context, this.forgetClient, { id, withoutSuccessor }));
  }
}

const originatorText = 'Id of the client (UUID).';
const estateText = 'Id of the estate (UUID).';

@Resolver(() => Originator)
export class PermitResolver {
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [OriginatorPermit], {
    description: 'The permits of the client, sorted by the ticker of the estate; the first 500.',
  })
  async permits(@Root() { id }: OriginatorShape, @Ctx() context: Context): Promise<Readonly<OriginatorPermit>[]> {
    return (await loaderOf(context, permitsOf).load(id)).map(toOriginatorPermit);
  }

  @Access('originator', readScope)
  @Directive('@listSize(assumedSize: 10)')
  @Query(() => [Originator], {
    description:
      'The clients whose batches the caller may see, at most 100: a client itself, or those that are linked with the account of a session or a key.',
  })
  async myOriginators(@Ctx() context: Context): Promise<OriginatorShape[]> {
    return (await originatorsById(context, await visibleOriginators(context))).map(toOriginator);
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Originator, {
    description:
      'Permits a client to assign credits to an estate; without a permit its batches are rejected with 403. Repeating the call changes nothing. Errors: 404 when the client or the estate does not exist.',
  })
  async permitOriginator(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: originatorText }) originatorId: string,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
  ): Promise<OriginatorShape> {
    return toOriginator(await permitOriginator(context, originatorId, patrimonyId));
  }

  @Access('operator', 'originate')
  @Mutation(() => Boolean, {
    description:
      'Withdraws the permit of a client for an estate: the client can assign no more credits to it, and its undecided batches for it are rejected. Credits that were assigned before stay assigned. Returns whether there was a permit. Errors: 404 when the client or the estate does not exist.',
  })
  withdrawOriginatorPermit(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: originatorText }) originatorId: string,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
  ): Promise<boolean> {
    return withdrawPermit(context, originatorId, patrimonyId);
  }
}

@ObjectType({ simpleResolvers: true, description: 'Permission of an originator to assign credits to an estate.' })
class OriginatorPermit extends fields({
  patrimony: nullable.of(() => Patrimony, 'The estate; null while it is withdrawn.'),
  permittedAt: time('Time at which an operator granted the permit.'),
}) {}

function toOriginatorPermit({ patrimonyId, permittedAt }: PermitRow): Readonly<OriginatorPermit> {
  return { patrimony: { id: patrimonyId }, permittedAt };
}

const OriginatorStatusEnum = describeEnum<OriginatorStatus>(
  'OriginatorStatus',
  'Status of a client.',
  {
    ACTIVE: 'Its signed requests are accepted.',
    SUSPENDED: 'All of its requests are rejected, as if it had no key.',
  },
  { ACTIVE: ['Ativo', 'Active'], SUSPENDED: ['Suspenso', 'Suspended'] },
);

@ObjectType({ simpleResolvers: true, description: 'A public key that verifies the signatures of a client.' })
class OriginatorKey extends fields({
  id: id('Id (UUID).'),
  fingerprint: text(
    'SHA-256 of the key in DER (SubjectPublicKeyInfo), in hexadecimal: `openssl pkey -pubin -in public.pem -outform DER | sha256sum`.',
  ),
  bits: int('Length of the modulus in bits.'),
  createdAt: time('Time of registration.'),
  revokedAt: nullable.time('Time of revocation; null for a valid key.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A client of the credit-assignment API, which signs its requests.' })
class Originator extends fields({
  id: id('Id (UUID), which the client sends as `X-Client-Id`.'),
  name: text('Name of the client.'),
  accountId: nullable.id(
    'Id of the account whose members and API keys may read the batches of the client, and whose webhooks receive their events.',
  ),
  accountMaySend: flag(
    'Whether people of the account may send files and submit or cancel batches for the client, in a browser’s session with a second factor.',
  ),
  rateLimit: nullable.int('Maximum number of requests per minute; null for the configured default.'),
  status: of(() => OriginatorStatusEnum, 'ACTIVE or SUSPENDED; all requests of a suspended client are rejected.'),
  createdAt: time('Time of onboarding.'),
}) {}

/** A client without its keys, which have a field resolver. */
type OriginatorShape = Readonly<
  Pick<Originator, 'id' | 'name' | 'accountId' | 'accountMaySend' | 'rateLimit' | 'status' | 'createdAt'>
>;

function toOriginator(row: OriginatorRow): OriginatorShape {
  const { id, name, accountId, accountMaySend, rateLimit, status, createdAt } = row;
  return { id, name, accountId, accountMaySend, rateLimit, status, createdAt };
}

function toOriginatorKey(row: OriginatorKeyRow): Readonly<OriginatorKey> {
  const { id, fingerprint, bits, createdAt, revokedAt } = row;
  return { id, fingerprint: fingerprint.toString('hex'), bits, createdAt, revokedAt };
}
