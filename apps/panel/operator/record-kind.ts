import type { Option } from '../../design/controls/controls.js';
import { language, wordOf } from '../frame/language.js';
import { operatorTexts } from './texts.js';

/** Returns what the records of a kind are called; its name in files where that is of another version. */
export function kindText(name: string): string {
  return wordOf(operatorTexts.get().recordKinds, name);
}

/** Returns every kind, in the order of their words. */
export function kindOptions(): readonly Option[] {
  const kinds = Object.entries(operatorTexts.get().recordKinds);
  return kinds
    .map(([value, text]) => ({ value, text }))
    .toSorted((one, other) => one.text.localeCompare(other.text, language.code));
}
