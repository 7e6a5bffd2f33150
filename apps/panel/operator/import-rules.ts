import { decimal, wordOf } from '../frame/language.js';
import { addRules } from '../frame/rule-text.js';
import { importRulesPortuguese } from './messages/import-rules.pt-BR.js';
import { importWords } from './messages/record-kinds.pt-BR.js';

export function addImportRules(): void {
  const { labels, types, or, none, removed } = importWords;
  const anyOf = (words: string) => words.replace(/ or ([^,]+)$/, ` ${or} $1`);
  addRules(importRulesPortuguese, {
    record: (label) => wordOf(labels, label),
    named: (record) => {
      const label = Object.keys(labels).find((one) => record.startsWith(`${one} `));
      return label === undefined ? record : wordOf(labels, label) + record.slice(label.length);
    },
    list: anyOf,
    types: (names) =>
      anyOf(names)
        .split(/(, | ou | or )/)
        .map((part) => wordOf(types, part))
        .join(''),
    none: (value) => (value === 'none' ? none : decimal(value)),
    changes: (changes) => (changes === 'removed' ? removed : changes.replace(/(?<= )-?\d+\.\d+(?=,? |,?$)/g, decimal)),
  });
}
