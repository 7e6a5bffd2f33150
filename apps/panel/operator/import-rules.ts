import { addRules } from '../frame/rule-text.js';
import type { Messages } from './messages/pt-BR.js';

/** Lets errors of imports be shown in the language of the page. */
export function addImportRules({ importRules, recordKinds }: Messages): void {
  const { labels, types, or, none, removed } = recordKinds;
  const anyOf = (words: string) => words.replace(/ or ([^,]+)$/, ` ${or} $1`);
  addRules(importRules, {
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
    none: (value) => (value === 'none' ? none : value),
    changes: (changes) => (changes === 'removed' ? removed : changes),
  });
}

/** Returns the text of a name; the name itself where it has none. */
export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
