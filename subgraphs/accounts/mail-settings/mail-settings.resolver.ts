import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import { changeMailLanguage, findMailLanguage } from './mail-settings.store.js';
import { MailLanguageEnum, MailSettings } from './mail-settings.type.js';

@Resolver()
export class MailSettingsResolver {
  @Access('session')
  @Query(() => MailSettings, {
    description:
      'What the account of the session chose about its mails. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async mailSettings(@Ctx() context: Context): Promise<Readonly<MailSettings>> {
    const language = await findMailLanguage(context, context.principal.ownerId);
    if (language === undefined) throw new ApiError('UNAUTHORIZED');
    return { language };
  }

  @Access('session')
  @Mutation(() => MailSettings, {
    description:
      'Changes what the account of the session chose about its mails, and returns it. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async changeMailSettings(
    @Ctx() context: Context,
    @Arg('language', () => MailLanguageEnum, { description: 'Language of mails to the account.' })
    language: MailLanguage,
  ): Promise<Readonly<MailSettings>> {
    await changeMailLanguage(context, language);
    return { language };
  }
}
