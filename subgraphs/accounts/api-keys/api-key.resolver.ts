import { Arg, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access, StepUp } from '../../../shared/subgraph/access.js';
import { FormMutation } from '../../../shared/subgraph/forms.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { listKeys } from './api-key.store.js';
import { ApiKey, CreatedApiKey, toApiKey, toCreatedApiKey } from './api-key.type.js';
import { createApiKey } from './create-api-key.js';
import { apiKeys } from './key-kind.js';
import { revokeKey } from './revoke-key.js';

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
  @StepUp()
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
