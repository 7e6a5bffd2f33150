import { Arg, Ctx, Directive, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readKeyUsage, type KeyUsageParts } from './key-usage.js';
import { KeyUsage } from './api-key.type.js';

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
