import { Field, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { MailLanguage } from '../accounts/compose-mail.js';

export const MailLanguageEnum = describeEnum<MailLanguage>(
  'MailLanguage',
  'Language of mails to an account.',
  { PT_BR: 'Brazilian Portuguese.', EN: 'English.' },
  { PT_BR: ['Português (Brasil)', 'Portuguese (Brazil)'], EN: ['Inglês', 'English'] },
);

@ObjectType({ simpleResolvers: true, description: 'What an account chose about the mails that it gets.' })
export class MailSettings {
  @Field(() => MailLanguageEnum, {
    description:
      'Language of the notices of keys that expire; PT_BR unless changed. Links, and notices of changes of the account, are in Portuguese.',
  })
  language!: MailLanguage;
}
