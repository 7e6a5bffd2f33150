import { filled, type Given, type RuleValue } from '../kernel/errors.js';
import { textOfImportRule, type ImportRuleCode, type ValuesOf } from '../registry.js';

export interface BrokenImportRule {
  readonly message: string;
  readonly rule: ImportRuleCode;
  readonly values: readonly RuleValue[];
}

/** Returns a broken rule: `broken('TOO_LONG', { max: 200 })`. */
export function broken<Code extends ImportRuleCode>(rule: Code, ...[given]: Given<Code>): BrokenImportRule {
  return brokenBy(rule, Object.entries<string | number>(given ?? {}));
}

export function brokenBy(
  rule: ImportRuleCode,
  given: readonly (readonly [name: string, value: string | number])[],
): BrokenImportRule {
  const values = given.map(([name, value]) => ({ name, value: String(value) }));
  return { rule, values, message: filled(textOfImportRule(rule), values) };
}

/** SQL columns `rule` and `given` of a violation: `violation('OUTSIDE_LIFE', { value: 's.date', … })`. @param values SQL expressions */
export function violation<Code extends ImportRuleCode>(rule: Code, ...[values]: Given<Code, string>): string {
  return `'${rule}' AS rule, ${givenBy(values ?? {})} AS given`;
}

/** Returns SQL of the values of a rule; a value of NULL is an empty text. */
export function givenBy(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, sql]) => `'${name}', coalesce((${sql})::text, '')`);
  return `jsonb_build_object(${pairs.join(', ')})`;
}

type SettledValues<Code extends ImportRuleCode> = Readonly<
  Record<Exclude<ValuesOf<Code>, 'label' | 'record' | 'changes'>, string>
>;

/** SQL of why a record is settled: `settledBy('SETTLED_PAID', { day: 'o.paid_on' })`; NULL where a value is. @param values SQL expressions */
export function settledBy<Code extends Extract<ImportRuleCode, `SETTLED_${string}`>>(
  rule: Code,
  values: SettledValues<Code>,
): string {
  const entries = Object.entries<string>(values);
  const known = entries.map(([, sql]) => `(${sql}) IS NOT NULL`);
  const pairs = entries.map(([name, sql]) => `'${name}', (${sql})::text`);
  return `CASE WHEN ${known.join(' AND ') || 'true'} THEN jsonb_build_object(${[`'rule', '${rule}'`, ...pairs].join(', ')}) END`;
}
