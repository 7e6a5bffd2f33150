import { wordOf } from './import-rules.js';
import { operatorTexts } from './texts.js';

/** Returns what the records of a kind are called; its name in files where that is of another version. */
export function kindText(name: string): string {
  return wordOf(operatorTexts.get().recordKinds.kinds, name);
}
