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

/** How a sentence writes its values, by the kind that stands in it: `{max:number}`. */
type Formats = Readonly<Record<string, (value: string) => string>>;

const formats: Formats = { number: decimal, moment };

/** Returns a broken rule as a sentence in the language of the page; undefined for one that the page does not know. */
export function ruleText(broken: Ruled): string | undefined {
  return (
    sentenceOf(broken, frameTexts.get().rules, formats) ??
    furtherRules.map((further) => further(broken)).find((sentence) => sentence !== undefined)
  );
}

const furtherRules: ((broken: Ruled) => string | undefined)[] = [];

/** Adds the rules of an area, whose codes no other rules have: their sentences are loaded with the area. */
export function addRules(sentences: Readonly<Record<string, string>>, more: Formats): void {
  furtherRules.push((broken) => sentenceOf(broken, sentences, { ...formats, ...more }));
}

function sentenceOf(
  { rule, values = [] }: Ruled,
  sentences: Readonly<Record<string, string>>,
  written: Formats,
): string | undefined {
  if (rule === undefined || !Object.hasOwn(sentences, rule)) return undefined;
  const given = new Map(values.map(({ name, value }) => [name, value]));
  const sentence = sentences[rule]?.replace(/\{(\w+)(?::(\w+))?\}/g, (_place, name: string, kind = '') => {
    const value = given.get(name) ?? '';
    return written[kind]?.(value) ?? value;
  });
  return sentence === undefined ? undefined : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
