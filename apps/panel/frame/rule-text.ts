import { date, decimal, language, moment } from './language.js';
import { frameTexts } from './texts.js';

export interface RuleValue {
  readonly name: string;
  readonly value: string;
}

export interface Ruled {
  /** Its code; undefined where the message is made of no rule. */
  readonly rule?: string | undefined;
  readonly values?: readonly RuleValue[] | undefined;
  readonly message?: string;
}

/** How a sentence writes its values, by the kind that stands in it: `{max:number}`. */
type Formats = Readonly<Record<string, (value: string) => string>>;

const formats: Record<string, (value: string) => string> = {
  number: decimal,
  moment,
  day: (text) => text.replace(/^\d{4}-\d\d-\d\d$/, date),
};
const areaRules: Readonly<Record<string, string>>[] = [];

/** Adds the rules of an area, whose codes no other rules have, and how they write their values: both are loaded with the area. */
export function addRules(sentences: Readonly<Record<string, string>>, more: Formats): void {
  areaRules.push(sentences);
  Object.assign(formats, more);
}

/** Returns a broken rule as a sentence in the language of the page; undefined for one that the page does not know. */
export function ruleText({ rule, values = [], message }: Ruled): string | undefined {
  if (rule === undefined) return undefined;
  if (language.code === 'en')
    return message === undefined ? undefined : capitalized(ended(message.replace(moments, moment)));
  const all: readonly Readonly<Record<string, string>>[] = [frameTexts.get().rules, ...areaRules];
  const known = all.find((sentences) => Object.hasOwn(sentences, rule));
  const given = new Map(values.map(({ name, value }) => [name, value]));
  const sentence = known?.[rule]?.replace(/\{(\w+)(?::(\w+))?\}/g, (_place, name: string, kind?: string) => {
    const value = given.get(name) ?? '';
    return kind === undefined ? value : (formats[kind]?.(value) ?? value);
  });
  // A sentence may begin with a value.
  return sentence === undefined ? undefined : capitalized(sentence);
}

const moments = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const ended = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
