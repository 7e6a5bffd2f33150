import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import { fields, of } from '../../../shared/graphql/fields.js';

export const MailLanguageEnum = describeEnum<MailLanguage>(
  'MailLanguage',
  'Language of mails to an account.',
  { PT_BR: 'Brazilian Portuguese.', EN: 'English.' },
  { PT_BR: ['Português (Brasil)', 'Portuguese (Brazil)'], EN: ['Inglês', 'English'] },
);

@ObjectType({ simpleResolvers: true, description: 'What an account chose about the mails that it gets.' })
export class MailSettings extends fields({
  language: of(() => MailLanguageEnum, 'Language of mails to the account; PT_BR unless changed.'),
}) {}
