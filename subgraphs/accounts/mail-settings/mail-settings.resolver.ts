import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import type { DigestFrequency } from '../digests/digest.store.js';
import { endDigests } from '../digests/follow-news.js';
import type { EndTokens } from '../digests/end-token.js';
import { changeMailSettings } from './change-mail-settings.js';
import { findMailSettings } from './mail-settings.store.js';
import { DigestFrequencyEnum, MailLanguageEnum, MailSettings } from './mail-settings.type.js';

@Resolver()
export class MailSettingsResolver {
  constructor(private readonly endTokens: EndTokens) {}

  @Access('session')
  @Query(() => MailSettings, {
    description:
      'What the account of the session chose about its mails. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async mailSettings(@Ctx() context: Context): Promise<Readonly<MailSettings>> {
    const found = await findMailSettings(context, context.principal.ownerId);
    if (found === undefined) throw new ApiError('UNAUTHORIZED');
    return found;
  }

  @Access('session')
  @Mutation(() => MailSettings, {
    description:
      'Changes what the account of the session chose about its mails, and returns it. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  changeMailSettings(
    @Ctx() context: Context,
    @Arg('language', () => MailLanguageEnum, {
      nullable: true,
      description: 'Language of notices and digests; null or omitted to keep it.',
    })
    language: MailLanguage | null | undefined,
    @Arg('digest', () => DigestFrequencyEnum, {
      nullable: true,
      description: 'How often digests are mailed; null or omitted to keep it.',
    })
    digest: DigestFrequency | null | undefined,
  ): Promise<Readonly<MailSettings>> {
    return changeMailSettings(context, { language, digest });
  }

  @Access('anyone')
  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Ends the digests of the account that a digest was mailed to, by the token of its link, which works any number of times and needs no session (RFC 8058). They begin again by `changeMailSettings`. Returns true, also where digests had ended. Errors: 422 for a token that is not valid.',
  })
  endDigests(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'Token of the link in a digest.' }) token: string,
  ): Promise<true> {
    return endDigests(context, this.endTokens, token);
  }
}
