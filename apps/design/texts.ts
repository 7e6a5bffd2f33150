import type { LanguageCode } from './formats.js';

/**
 * One language of texts in two. A text is a pair, Portuguese first; a text that is the same in both is a single string; a text with values is a
 * function that returns a pair.
 */
export type InLanguage<T> = T extends string
  ? string
  : T extends readonly [infer Portuguese, unknown]
    ? Portuguese extends string
      ? string
      : Portuguese
    : T extends (...values: infer Values) => readonly unknown[]
      ? (...values: Values) => string
      : { readonly [Name in keyof T]: InLanguage<T[Name]> };

export function inLanguage<T>(code: LanguageCode, texts: T): InLanguage<T> {
  return sideOf(texts, code === 'en' ? 1 : 0) as InLanguage<T>;
}

function sideOf(texts: unknown, side: 0 | 1): unknown {
  if (Array.isArray(texts)) return texts[side];
  if (isFunction(texts)) return (...values: unknown[]) => texts(...values)[side];
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sideOf(text, side)]));
}

const isFunction = (text: unknown): text is (...values: unknown[]) => readonly unknown[] => typeof text === 'function';
