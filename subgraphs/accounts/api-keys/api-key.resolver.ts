import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { listKeys } from './api-key.store.js';
import { ApiKey, CreatedApiKey, RotatedApiKey, toApiKey, toCreatedApiKey, KeyUsage } from './api-key.type.js';
import { createApiKey, mintApiKey, rotateKey, revokeKey } from './api-keys.acts.js';
import { apiKeys } from './key-kind.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readKeyUsage, type KeyUsageParts } from './key-usage.js';

export interface ApiKeyResolverParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly forgetKey: (prefix: string) => void;
  readonly desk: MailDesk;
}

@Resolver()
export class ApiKeyResolver {
  constructor(private readonly parts: ApiKeyResolverParts) {}

  @Access('session')
  @Directive('@listSize(assumedSize: 200)')
  @Query(() => [ApiKey], {
    description:
      'The API keys of the account: those that are not revoked first, then by age, newest first; at most 200. REST: GET /v1/emissoes/keys. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async apiKeys(@Ctx() context: Context): Promise<Readonly<ApiKey>[]> {
    return (await listKeys(context, context.principal.ownerId)).map((row) => toApiKey(row, this.parts.rateLimit));
  }

  @Access('session')
  @FormMutation()
  @StepUp('secret')
  @Mutation(() => CreatedApiKey, {
    description:
      'Creates an API key that is valid for 365 days, and informs the owner by mail. REST: POST /v1/emissoes/keys. Errors: 400 for an invalid name; 401 without a session; 403 before the e-mail is confirmed; 409 when the account has five keys that are ACTIVE and not expired.',
  })
  async createApiKey(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: 'Label of the key, 1 to 200 characters.' }) name: string,
  ): Promise<Readonly<CreatedApiKey>> {
    return toCreatedApiKey(await createApiKey(context, this.parts.desk, name), this.parts.rateLimit);
  }

  @Access('session')
  @FormMutation()
  @StepUp('secret')
  @Mutation(() => RotatedApiKey, {
    description:
      'Replaces an API key by a new one with the same name and limit, valid for 365 days, and informs the owner by mail. The old key works until the end of the grace period, but never longer than before; meanwhile it does not count towards the number of keys. Errors: 400 for a grace period out of bounds; 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account; 409 for a key that was revoked, has expired or was rotated already, and while the key that it replaced itself still works.',
  })
  async rotateApiKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Arg('graceDays', () => Int, {
      description: 'Days for which the old key goes on working, from 0 to 30; 0 revokes it at once.',
    })
    graceDays: number,
  ): Promise<Readonly<RotatedApiKey>> {
    const { desk, forgetKey, rateLimit } = this.parts;
    const { newKey, oldKey } = await rotateKey(
      context,
      { kind: apiKeys, desk, forgetKey },
      { id, graceDays },
      (tx, old) => mintApiKey(tx, old.rateLimit, old),
    );
    return { newKey: toCreatedApiKey(newKey, rateLimit), oldKey: toApiKey(oldKey, rateLimit) };
  }

  @Access('session')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Revokes an API key permanently: within 1 second every instance rejects requests with it with 401. Returns true, also for a key that was already revoked. REST: DELETE /v1/emissoes/keys/{id}. Errors: 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account.',
  })
  async revokeApiKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeKey(context, apiKeys, this.parts.forgetKey, id);
    return true;
  }
}

@Resolver()
export class KeyUsageResolver {
  constructor(private readonly parts: KeyUsageParts) {}

  @Access('session')
  @Directive('@listSize(assumedSize: 25)')
  @Query(() => [KeyUsage], {
    description:
      'Use of keys of the account, of both kinds, in the order of their ids: against the limit in the present minute, and on each of the last 30 days. Errors: 400 for more than 25 ids; 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account.',
  })
  keyUsage(
    @Ctx() context: Context,
    @Arg('keyIds', () => [ID], { description: 'Ids of the keys, at most 25; a repeated one counts once.' })
    keyIds: string[],
  ): Promise<Shape<KeyUsage>[]> {
    return readKeyUsage(context, this.parts, keyIds);
  }
}
