import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { identifyingText, isName, isVisible } from './identifying-text.js';

test('a text has one form, however it is composed and whatever its blanks are', () => {
  const anyText = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(anyText, fc.constantFrom(' ', '\t', '\u00a0', '\u2003', '\u3000'), (text, blank) => {
      const form = identifyingText(text);
      expect(identifyingText(form)).toBe(form);
      expect(identifyingText(text.normalize('NFD'))).toBe(form);
      expect(identifyingText(`${blank}${text}${blank}`)).toBe(form);
    }),
  );
  expect(identifyingText('A\u00a0B')).toBe('A B');
  expect(identifyingText('Aa')).toBe('Aa');
});

test.each(['\u200b', 'a\ud83d', '\ufeffa', 'a\u2028b', 'a\tb', 'a\u{e0041}'])(
  '%j has a character that nobody sees, and is no name',
  (text) => {
    expect([isVisible(text), isName(text, 100)]).toEqual([false, false]);
  },
);

test('a name is measured in its identifying form', () => {
  expect([isName(' ab ', 2), isName('abc', 2), isName(' ', 2), isName('e\u0301', 1), isName('😀😀', 2)]).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});
