import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { createDeveloperKey } from './create-developer-key.js';
import { listKeys } from './developer-key.store.js';
import { CreatedDeveloperKey, DeveloperKey, toCreatedDeveloperKey, toDeveloperKey } from './developer-key.type.js';
import { revokeDeveloperKey } from './revoke-developer-key.js';

export interface DeveloperKeyResolverParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly forgetKey: (prefix: string) => void;
  readonly desk: MailDesk;
}

@Resolver()
export class DeveloperKeyResolver {
  constructor(private readonly parts: DeveloperKeyResolverParts) {}

  @Access('session')
  @Query(() => [DeveloperKey], {
    description:
      "The developer's keys of the account: those that are not revoked first, then the newest; at most 200. Errors: 401 without a session.",
  })
  async developerKeys(@Ctx() context: Context): Promise<Readonly<DeveloperKey>[]> {
    return (await listKeys(context, context.principal.ownerId)).map((row) => toDeveloperKey(row, this.parts.rateLimit));
  }

  @Access('session')
  @Mutation(() => CreatedDeveloperKey, {
    description:
      "Creates a developer's key that works for 365 days, and tells the owner by mail. Errors: 400 for a name or scopes that are none; 401 without a session; 403 before the e-mail is confirmed; 409 when twenty keys are ACTIVE and not expired.",
  })
  async createDeveloperKey(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: 'Label of the key, 1 to 200 characters.' }) name: string,
    @Arg('scopes', () => [String], {
      description: 'What the key may do: any of `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`.',
    })
    scopes: string[],
  ): Promise<Readonly<CreatedDeveloperKey>> {
    return toCreatedDeveloperKey(await createDeveloperKey(context, this.parts, { name, scopes }), this.parts.rateLimit);
  }

  @Access('session')
  @Mutation(() => Boolean, {
    description:
      "Revokes a developer's key for good: within 1 second every instance answers 401 to requests with it. Answers true, again when it was revoked before. Errors: 401 without a session; 404 for a key that is not of the account.",
  })
  async revokeDeveloperKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeDeveloperKey(context, this.parts.forgetKey, id);
    return true;
  }
}
