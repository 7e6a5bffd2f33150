import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { addOriginatorKey } from './add-originator-key.js';
import { addOriginator } from './add-originator.js';
import { changeOriginator } from './change-originator.js';
import { keysOf } from './originator-key.store.js';
import type { OriginatorStatus } from './originator.js';
import { listOriginators } from './originator.store.js';
import {
  Originator,
  OriginatorKey,
  OriginatorStatusEnum,
  toOriginator,
  toOriginatorKey,
  type OriginatorShape,
} from './originator.type.js';
import { revokeOriginatorKey } from './revoke-originator-key.js';

const nameText = 'Its name, 1 to 200 characters.';
const keyText =
  'RSA public key in PEM, of 2048 to 8192 bits: `PUBLIC KEY`, `RSA PUBLIC KEY`, or a `CERTIFICATE` that holds it.';
const accountText = 'The account whose people and keys may look at its batches.';

@Resolver(() => Originator)
export class OriginatorResolver {
  /** @param forgetClient drops a client from the cache, so that its next request reads it again */
  constructor(private readonly forgetClient: (id: string) => void) {}

  @Access('operator', 'read')
  @Query(() => [Originator], {
    description: 'The clients of the credit-assignment interface, the newest first, at most 500.',
  })
  async originators(@Ctx() context: Context): Promise<OriginatorShape[]> {
    return (await listOriginators(context, 500)).map(toOriginator);
  }

  @FieldResolver(() => [OriginatorKey], {
    description: 'Its keys: those that are not revoked first, then the newest; at most 50.',
  })
  async keys(@Root() { id }: OriginatorShape, @Ctx() context: Context): Promise<Readonly<OriginatorKey>[]> {
    return (await loaderOf(context, keysOf).load(id)).map(toOriginatorKey);
  }

  @Access('operator', 'originate')
  @Mutation(() => Originator, {
    description:
      'Onboards a client, which may sign at once by the key. Errors: 400 for a name or a key that is none; 409 for a key that another client has.',
  })
  async addOriginator(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: nameText }) name: string,
    @AtMost({ maxLength: 16_384 })
    @Arg('publicKey', () => String, { description: keyText })
    publicKey: string,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description: 'Requests a minute; what the configuration says, when not given.',
    })
    rateLimit: number | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: accountText }) accountId: string | null | undefined,
  ): Promise<OriginatorShape> {
    const wish = { name, publicKey, rateLimit: rateLimit ?? null, accountId: accountId ?? null };
    return toOriginator(await addOriginator(context, wish));
  }

  @Access('operator', 'originate')
  @Mutation(() => OriginatorKey, {
    description:
      'Lets a client sign by a further key, so that it can change over. The same key again gives the same answer. Errors: 400 for what is no such key; 404; 409 for a key that was revoked or that another client has, and when the client has 10.',
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
  @Mutation(() => Boolean, {
    description:
      'Revokes a key for good: within 1 second no instance lets in what it signed. Answers true, again when it was revoked before. Errors: 404.',
  })
  async revokeOriginatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeOriginatorKey(context, this.forgetClient, id);
    return true;
  }

  @Access('operator', 'originate')
  @Mutation(() => Originator, {
    description:
      'Changes a client; what is left out stays, and neither `name` nor `status` may be null. Errors: 400, 404.',
  })
  async changeOriginator(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the client.' }) id: string,
    @Arg('name', () => String, { nullable: true, description: nameText }) name: string | null | undefined,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description: 'Requests a minute; null for what the configuration says.',
    })
    rateLimit: number | null | undefined,
    @Arg('status', () => OriginatorStatusEnum, { nullable: true, description: 'Whether it is let in.' })
    status: OriginatorStatus | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: `${accountText} Null for none.` })
    accountId: string | null | undefined,
  ): Promise<OriginatorShape> {
    return toOriginator(await changeOriginator(context, this.forgetClient, id, { name, rateLimit, status, accountId }));
  }
}
