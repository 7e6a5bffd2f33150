import { describe, expect, test } from '@jest/globals';
import { registered, textOfRule, type RuleCode } from './registry.js';
import { portugueseRules } from '../apps/panel/frame/messages/rules.pt-BR.js';
import { ApiError, byRule, errorAt } from './kernel/errors.js';

const codes = [...registered.rules.keys()] as RuleCode[];

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name = '']) => name))].sort();
}

/** Any rule with a value for each of its places, which types cannot say of a code that is not known. */
const anyRule = byRule as (rule: RuleCode, values: Readonly<Record<string, string>>) => ReturnType<typeof byRule>;

describe('Each rule', () => {
  test.each(codes)('%s has a message that is its text with its values, which the error names', (code) => {
    const names = namesIn(textOfRule(code));
    const values = Object.fromEntries(names.map((name, at) => [name, `$&${at}`]));
    const broken = anyRule(code, values);
    expect(broken.message).toBe(
      names.reduce((text, name) => text.replaceAll(`{${name}}`, () => values[name] ?? ''), textOfRule(code)),
    );
    const { extensions } = new ApiError('BAD_REQUEST', { details: [{ path: 'place', ...broken }] });
    expect(extensions.details).toEqual([
      {
        path: 'place',
        rule: code,
        message: broken.message,
        values: names.map((name) => ({ name, value: values[name] })),
      },
    ]);
  });

  test.each(codes)('%s has a sentence with all of its values in Portuguese', (code) => {
    expect(portugueseRules[code]).toMatch(/^\S.*\.$/);
    expect(namesIn(portugueseRules[code])).toEqual(namesIn(textOfRule(code)));
  });
});

test('A value that a caller sent is repeated as far as its message repeats it', () => {
  const { message, values } = errorAt('filter.to', 'NOT_BEFORE', { field: 'x'.repeat(1_000) });
  expect(values).toEqual([{ name: 'field', value: `${'x'.repeat(100)}…` }]);
  expect(message).toBe(`must not be before \`${'x'.repeat(100)}…\``);
});
