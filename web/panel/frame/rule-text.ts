import { decimal, moment } from './language.js';
import { frameTexts } from './texts.js';

/** A value that a rule names, as the server writes it. */
export interface RuleValue {
  readonly name: string;
  readonly value: string;
}

/** A rule that the server says is broken. */
export interface Ruled {
  /** Its code; undefined where the message is made of no rule. */
  readonly rule?: string | undefined;
  readonly values?: readonly RuleValue[] | undefined;
}

/** Returns a broken rule as a sentence in the language of the page; undefined for one that the page does not know. */
export function ruleText({ rule, values = [] }: Ruled): string | undefined {
  const sentences: Readonly<Record<string, string>> = frameTexts.get().rules;
  if (rule === undefined || !Object.hasOwn(sentences, rule)) return undefined;
  const given = new Map(values.map(({ name, value }) => [name, value]));
  return sentences[rule]?.replace(/\{(\w+)(?::(\w+))?\}/g, (_place, name: string, kind?: string) => {
    const value = given.get(name) ?? '';
    if (kind === 'number') return decimal(value);
    return kind === 'moment' ? moment(value) : value;
  });
}
