import { Arg, Args, ArgsType, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { listKeys } from './api-key.store.js';
import { apiKeyTypes, developerKeyTypes, toKey, toCreatedKey, KeyUsage } from './api-key.type.js';
import { createKey, rotateKey, revokeKey } from './api-keys.acts.js';
import { apiKeys, developerKeys, type KeyKind } from './key-kind.js';
import { args, text, texts } from '../../../shared/graphql/fields.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { maxKeysRead, readKeyUsage, type KeyUsageParts } from './key-usage.js';

export interface ApiKeyResolverParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly forgetKey: (prefix: string) => void;
  readonly desk: MailDesk;
}

@ArgsType()
class CreateApiKeyArgs extends args({ name: text('Label of the key, 1 to 200 characters.') }) {}

@ArgsType()
class CreateDeveloperKeyArgs extends args({
  name: text('Label of the key, 1 to 200 characters.'),
  scopes: texts(
    'Scopes of the key: any of `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`. `webhooks:write` lets its holder receive all events of the account by a webhook, those of credits and of trading too, and `webhooks:read` read those that were sent.',
  ),
}) {}

interface KeyWords {
  /** The kind with its article, and the same in the plural. */
  readonly kind: string;
  readonly kinds: string;
  readonly invalid: string;
  readonly inherited: string;
  /** The paths of list, creation and revocation, if there are any. */
  readonly paths?: readonly [string, string, string];
}

/** Makes the resolver of the keys of a kind. */
function keyResolver(
  kind: KeyKind,
  { Key, Created, Rotated }: typeof apiKeyTypes,
  CreateArgs: typeof CreateApiKeyArgs | typeof CreateDeveloperKeyArgs,
  words: KeyWords,
) {
  const [listPath = '', createPath = '', revokePath = ''] = words.paths?.map((path) => ` REST: ${path}.`) ?? [];
  @Resolver()
  class KeyResolver {
    constructor(private readonly parts: ApiKeyResolverParts) {}

    @Access('session')
    @Directive('@listSize(assumedSize: 200)')
    @Query(() => [Key], {
      name: `${kind.subject}s`,
      description: `The ${words.kinds} of the account: those that are not revoked first, then by age, newest first; at most 200.${listPath} Errors: 401 without a session; 403 before the e-mail is confirmed.`,
    })
    async list(@Ctx() context: Context) {
      const rows = await listKeys(context, kind.table, context.principal.ownerId);
      return rows.map((row) => toKey(row, this.parts.rateLimit));
    }

    @Access('session')
    @FormMutation()
    @StepUp('secret')
    @Mutation(() => Created, {
      name: kind.created,
      description: `Creates ${words.kind} that is valid for 365 days, and informs the owner by mail.${createPath} Errors: 400 for ${words.invalid}; 401 without a session; 403 before the e-mail is confirmed; 409 when the account has ${kind.maxWorking} keys that are ACTIVE and not expired.`,
    })
    async create(@Ctx() context: Context, @Args(() => CreateArgs) input: CreateApiKeyArgs | CreateDeveloperKeyArgs) {
      return toCreatedKey(await createKey(context, kind, this.parts.desk, input), this.parts.rateLimit);
    }

    @Access('session')
    @FormMutation()
    @StepUp('secret')
    @Mutation(() => Rotated, {
      name: kind.rotated,
      description: `Replaces ${words.kind} by a new one with the same ${words.inherited} and limit, valid for 365 days, and informs the owner by mail. The old key works until the end of the grace period, but never longer than before; meanwhile it does not count towards the number of keys. Errors: 400 for a grace period out of bounds; 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account; 409 for a key that was revoked, has expired or was rotated already, and while the key that it replaced itself still works.`,
    })
    async rotate(
      @Ctx() context: Context,
      @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
      @Arg('graceDays', () => Int, {
        description: 'Days for which the old key goes on working, from 0 to 30; 0 revokes it at once.',
      })
      graceDays: number,
    ) {
      const { newKey, oldKey } = await rotateKey(context, { kind, ...this.parts }, { id, graceDays });
      const { rateLimit } = this.parts;
      return { newKey: toCreatedKey(newKey, rateLimit), oldKey: toKey(oldKey, rateLimit) };
    }

    @Access('session')
    @StepUp()
    @Mutation(() => Boolean, {
      name: kind.revoked,
      description: `Revokes ${words.kind} permanently: within 1 second every instance rejects requests with it with 401. Returns true, also for a key that was already revoked.${revokePath} Errors: 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account.`,
    })
    async revoke(
      @Ctx() context: Context,
      @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    ): Promise<boolean> {
      await revokeKey(context, kind, this.parts.forgetKey, id);
      return true;
    }
  }
  return KeyResolver;
}

export const ApiKeyResolver = keyResolver(apiKeys, apiKeyTypes, CreateApiKeyArgs, {
  kind: 'an API key',
  kinds: 'API keys',
  invalid: 'an invalid name',
  inherited: 'name',
  paths: ['GET /v1/emissoes/keys', 'POST /v1/emissoes/keys', 'DELETE /v1/emissoes/keys/{id}'],
});
export const DeveloperKeyResolver = keyResolver(developerKeys, developerKeyTypes, CreateDeveloperKeyArgs, {
  kind: 'a developer key',
  kinds: 'developer keys',
  invalid: 'an invalid name or invalid scopes',
  inherited: 'name, scopes',
});

@Resolver()
export class KeyUsageResolver {
  constructor(private readonly parts: KeyUsageParts) {}

  @Access('session')
  @Directive(`@listSize(assumedSize: ${maxKeysRead})`)
  @Query(() => [KeyUsage], {
    description: `Use of keys of the account, of both kinds, in the order of their ids: against the limit in the present minute, and on each of the last 30 days. Errors: 400 for more than ${maxKeysRead} ids; 401 without a session; 403 before the e-mail is confirmed; 404 for a key that does not belong to the account.`,
  })
  keyUsage(
    @Ctx() context: Context,
    @Arg('keyIds', () => [ID], { description: `Ids of the keys, at most ${maxKeysRead}; a repeated one counts once.` })
    keyIds: string[],
  ): Promise<Shape<KeyUsage>[]> {
    return readKeyUsage(context, this.parts, keyIds);
  }
}
