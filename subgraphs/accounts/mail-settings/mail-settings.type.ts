import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import type { DigestFrequency } from '../digests/digest.store.js';
import { fields, of } from '../../../shared/graphql/fields.js';

export const MailLanguageEnum = describeEnum<MailLanguage>(
  'MailLanguage',
  'Language of mails to an account.',
  { PT_BR: 'Brazilian Portuguese.', EN: 'English.' },
  { PT_BR: ['Português (Brasil)', 'Portuguese (Brazil)'], EN: ['Inglês', 'English'] },
);

export const DigestFrequencyEnum = describeEnum<DigestFrequency>(
  'DigestFrequency',
  'How often an account gets digests of what is published about the operations that it follows.',
  {
    NONE: 'No digests.',
    DAILY: 'On business days of the Brazilian banking calendar, from 8 h in São Paulo.',
    WEEKLY: 'On the first business day of the week, from 8 h in São Paulo.',
  },
  {
    NONE: ['Nunca', 'Never'],
    DAILY: ['Nos dias úteis', 'On business days'],
    WEEKLY: ['Uma vez por semana', 'Once a week'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'What an account chose about the mails that it gets.' })
export class MailSettings extends fields({
  language: of(
    () => MailLanguageEnum,
    'Language of digests and of the notices of keys that expire; PT_BR unless changed. Links, and notices of changes of the account, are in Portuguese.',
  ),
  digest: of(
    () => DigestFrequencyEnum,
    'How often digests of the followed operations are mailed; NONE unless changed. Without news there is no mail. What was published before digests were chosen is not in them.',
  ),
}) {}
