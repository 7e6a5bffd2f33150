import { describeEnum } from './describe-enum.js';
import type { Locale } from './labels.js';

/** The languages in which texts for people are returned, for arguments of a resolver; labels of enums have theirs by themselves. */
export const LocaleEnum = describeEnum<Locale>('Locale', 'Language of a label.', {
  PT_BR: 'Brazilian Portuguese',
  EN: 'English',
});
