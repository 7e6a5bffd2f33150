import { expect, test } from '@jest/globals';
import { registered } from '../../shared/registry.js';
import { actsEnglish } from '../../apps/panel/operator/messages/acts.en.js';
import { actsPortuguese } from '../../apps/panel/operator/messages/acts.pt-BR.js';

test.each([
  ['Portuguese', actsPortuguese],
  ['English', actsEnglish],
])('the panel names every act of the audit log in %s, each by a text of its own', (_language, names) => {
  expect(Object.keys(names).toSorted()).toEqual([...registered.acts].toSorted());
  const texts = Object.values(names);
  expect(texts.filter((text) => !/^\p{Lu}.*[^.]$/u.test(text))).toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
});
