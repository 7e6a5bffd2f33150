import { shortened } from './echo.js';
import { textOfRule, type ImportRuleCode, type RuleCode, type ValuesOf } from '../registry.js';

/** A value that a rule names, as text: a number in decimal form, a moment in RFC 3339. */
export interface RuleValue {
  readonly name: string;
  readonly value: string;
}

/** Names the rule that is broken, where a message is made of one: its code (`shared/registry.ts`), and the values in its text. */
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
export type Given<Code extends RuleCode | ImportRuleCode, Value = string | number> = [ValuesOf<Code>] extends [never]
  ? []
  : [values: Readonly<Record<ValuesOf<Code>, Value>>];

/** Returns a broken rule: `throw new ApiError('CONFLICT', byRule('KEYS_FULL', { max }))`. A word of a value is cut after 100 characters. */
export function byRule<Code extends RuleCode>(rule: Code, ...[given]: Given<Code>): BrokenRule {
  const values = Object.entries<string | number>(given ?? {}).map(([name, value]) => ({
    name,
    value: shortened(String(value)),
  }));
  return { rule, values, message: filled(textOfRule(rule), values) };
}

export function filled(text: string, values: readonly RuleValue[]): string {
  const texts = new Map(values.map(({ name, value }) => [name, value]));
  return text.replace(/\{(\w+)\}/g, (_place, name: string) => texts.get(name) ?? '');
}

/** Returns the error of the value at a path of an input: `errorAt('name', 'TEXT_LENGTH', { min: 1, max: 100 })`. */
export function errorAt<Code extends RuleCode>(path: string, rule: Code, ...values: Given<Code>) {
  return { path, ...byRule(rule, ...values) };
}

/** Returns the rule of an error with its values, and nothing for an error without one. */
export function ruleOf({ rule, values = [] }: Ruled) {
  return rule === undefined ? {} : { rule, values };
}
