import { shortened } from './echo.js';
import { rules, type RuleCode, type RuleValues } from './rules.js';

/** A value that a rule names, as text: a number in decimal form, a moment in RFC 3339. */
export interface RuleValue {
  readonly name: string;
  readonly value: string;
}

/** Names the rule that is broken, where a message is made of one: its code (`rules.ts`), and the values in its text. */
export interface Ruled {
  readonly rule?: string | undefined;
  readonly values?: readonly RuleValue[] | undefined;
}

/** A broken rule with its values, and the English text that they make. It is a part of an `ErrorDetail`, or of the options of an `ApiError`. */
export interface BrokenRule {
  readonly message: string;
  readonly rule: RuleCode;
  readonly values: readonly RuleValue[];
}

/** The values of a rule, as an argument where it has any. */
type Given<Code extends RuleCode> = [keyof RuleValues<Code>] extends [never] ? [] : [values: RuleValues<Code>];

/** Returns a broken rule: `throw new ApiError('CONFLICT', byRule('KEYS_FULL', { max }))`. A word of a value is cut after 100 characters. */
export function byRule<Code extends RuleCode>(rule: Code, ...[given]: Given<Code>): BrokenRule {
  const values = Object.entries<string | number>(given ?? {}).map(([name, value]) => ({
    name,
    value: shortened(String(value)),
  }));
  const texts = new Map(values.map(({ name, value }) => [name, value]));
  return { rule, values, message: rules[rule].replace(/\{(\w+)\}/g, (_place, name: string) => texts.get(name) ?? '') };
}

/** Returns the error of the value at a path of an input: `errorAt('name', 'TEXT_LENGTH', { min: 1, max: 100 })`. */
export function errorAt<Code extends RuleCode>(path: string, rule: Code, ...values: Given<Code>) {
  return { path, ...byRule(rule, ...values) };
}

/** Returns the rule of an error with its values, and nothing for an error without one. */
export function ruleOf({ rule, values = [] }: Ruled) {
  return rule === undefined ? {} : { rule, values };
}
