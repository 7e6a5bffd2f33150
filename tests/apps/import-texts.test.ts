import { describe, expect, test } from '@jest/globals';
import { registered, textOfImportRule, type ImportRuleCode } from '../../shared/registry.js';
import { importDomains } from '../../bootstrap/imports.js';
import { importRulesEnglish } from '../../apps/panel/operator/messages/import-rules.en.js';
import { importRulesPortuguese } from '../../apps/panel/operator/messages/import-rules.pt-BR.js';
import { recordKindsEnglish } from '../../apps/panel/operator/messages/record-kinds.en.js';
import { recordKindsPortuguese } from '../../apps/panel/operator/messages/record-kinds.pt-BR.js';

const codes = [...registered.importRules.keys()] as ImportRuleCode[];

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name = '']) => name))];
}

test.each([
  ['Portuguese', recordKindsPortuguese],
  ['English', recordKindsEnglish],
])('the panel names every kind of records that is imported in %s, and no other', (_language, { kinds, labels }) => {
  const known = importDomains.flatMap((domain) => domain.kinds);
  expect(Object.keys(kinds).toSorted()).toEqual(known.map(({ name }) => name).toSorted());
  expect(Object.keys(labels).toSorted()).toEqual([...new Set(known.map(({ label }) => label))].toSorted());
});

describe('Each rule of imports', () => {
  test.each(codes)('%s has a sentence in each language of the panel, with values that the rule has', (code) => {
    for (const sentences of [importRulesPortuguese, importRulesEnglish]) {
      expect(sentences[code]).toMatch(/^\S.*[.?]$/);
      const values = namesIn(textOfImportRule(code));
      expect(namesIn(sentences[code]).filter((name) => !values.includes(name))).toEqual([]);
    }
  });

  test('has a code that no rule of inputs has: both are on the graph', () => {
    expect(codes.filter((code) => registered.rules.has(code))).toEqual([]);
  });
});
