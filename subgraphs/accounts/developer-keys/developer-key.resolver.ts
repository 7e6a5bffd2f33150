import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import type { ApiKeyResolverParts } from '../api-keys/api-key.resolver.js';
import { developerKeys } from '../api-keys/key-kind.js';
import { rotateKey, revokeKey } from '../api-keys/api-keys.acts.js';
import { createDeveloperKey, mintDeveloperKey } from './create-developer-key.js';
import { listKeys } from './developer-key.store.js';
import {
  CreatedDeveloperKey,
  DeveloperKey,
  RotatedDeveloperKey,
  toCreatedDeveloperKey,
  toDeveloperKey,
} from './developer-key.type.js';

@Resolver()
export class DeveloperKeyResolver {
  constructor(private readonly parts: ApiKeyResolverParts) {}

  @Access('session')
  @Directive('@listSize(assumedSize: 200)')
  @Query(() => [DeveloperKey], {
    description:
      'The developer keys of the account: those that are not revoked first, then by age, newest first; at most 200. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async developerKeys(@Ctx() context: Context): Promise<Readonly<DeveloperKey>[]> {
    return (await listKeys(context, context.principal.ownerId)).map((row) => toDeveloperKey(row, this.parts.rateLimit));
  }

  @Access('session')
  @FormMutation()
  @StepUp('secret')
  @Mutation(() => CreatedDeveloperKey, {
    description:
      'Creates a developer key that is valid for 365 days, and informs the owner by mail. Errors: 400 for an invalid name or invalid scopes; 401 without a session; 403 before the e-mail is confirmed; 409 when the account has twenty keys that are ACTIVE and not expired.',
  })
  async createDeveloperKey(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: 'Label of the key, 1 to 200 characters.' }) name: string,
    @Arg('scopes', () => [String], {
      description:
        'Scopes of the key: any of `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`. `webhooks:write` lets its holder receive all events of the account by a webhook, those of credits and of trading too, and `webhooks:read` read those that were sent.',
    })
    scopes: string[],
  ): Promise<Readonly<CreatedDeveloperKey>> {
    const { desk, rateLimit } = this.parts;
    return toCreatedDeveloperKey(await createDeveloperKey(context, desk, { name, scopes }), rateLimit);
  }

  @Access('session')
  @FormMutation()
  @StepUp('secret')
  @Mutation(() => RotatedDeveloperKey, {
    description:
      'Replaces a developer key by a new one with the same name, scopes and limit, valid for 365 days, and informs the owner by mail. The old key works until the end of the grace period, but never longer than before; meanwhile it does not count towards the number of keys. Errors: 400 for a grace period out of bounds; 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account; 409 for a key that was revoked, has expired or was rotated already, and while the key that it replaced itself still works.',
  })
  async rotateDeveloperKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Arg('graceDays', () => Int, {
      description: 'Days for which the old key goes on working, from 0 to 30; 0 revokes it at once.',
    })
    graceDays: number,
  ): Promise<Readonly<RotatedDeveloperKey>> {
    const { desk, forgetKey, rateLimit } = this.parts;
    const parts = { kind: developerKeys, desk, forgetKey };
    const { newKey, oldKey } = await rotateKey(context, parts, { id, graceDays }, (tx, old) => {
      return mintDeveloperKey(tx, old.rateLimit, old);
    });
    return { newKey: toCreatedDeveloperKey(newKey, rateLimit), oldKey: toDeveloperKey(oldKey, rateLimit) };
  }

  @Access('session')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Revokes a developer key permanently: within 1 second every instance rejects requests with it with 401. Returns true, also for a key that was already revoked. Errors: 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account.',
  })
  async revokeDeveloperKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeKey(context, developerKeys, this.parts.forgetKey, id);
    return true;
  }
}
