import { refuse, errorAt } from './errors.js';
import { hasMoreCharacters } from './echo.js';

const plain = /^[!-~]*$/;
const blanks = /[^\P{Zs} ]/gu;
const outerBlanks = /^[\t-\r ]+|(?<![\t-\r ])[\t-\r ]+$/g;
/** Control characters, unpaired surrogates, what has no shape or draws nothing; the Braille blank is a symbol, the Khitan filler a mark by category. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\u{16FE4}/u;

/** Brings a text into its identifying form, once, where it enters: NFC, each blank a space, none at the ends. Case is kept. */
export function identifyingText(text: string): string {
  return plain.test(text) ? text : text.normalize('NFC').replace(blanks, ' ').replace(outerBlanks, '');
}

/** Whether every character of a text can be seen: two texts that look alike would be two names. */
export function isVisible(text: string): boolean {
  return plain.test(text) || !invisible.test(text);
}

/** Returns the text by which a caller looks something up, in its identifying form. @throws {ApiError} BAD_REQUEST for one with a character that cannot be seen */
export function requireVisible(path: string, text: string): string {
  refuse('BAD_REQUEST', isVisible(text) ? [] : [errorAt(path, 'VISIBLE')]);
  return identifyingText(text);
}

/** Whether a text in its identifying form is a name: visible, and of 1 to `most` characters. */
export function isName(text: string, most: number): boolean {
  const name = identifyingText(text);
  return name !== '' && !hasMoreCharacters(name, most) && isVisible(name);
}
