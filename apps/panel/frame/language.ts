import { formatsOf, type LanguageCode } from '../../design/formats.js';
import { loadPart } from './load-part.js';

const isEnglish = /^\/en(\/|$)/.test(location.pathname);
const code: LanguageCode = isEnglish ? 'en' : 'pt-BR';

/** The language of the page, which its address says and which stays the same until another page is loaded. */
export const language = {
  code,
  /** What the addresses of the panel begin with. */
  base: isEnglish ? '/en/painel' : '/painel',
  /** What the addresses of the public pages begin with. */
  prefix: isEnglish ? '/en' : '',
  /** Its name on the graph. */
  graph: isEnglish ? ('EN' as const) : ('PT_BR' as const),
  other: isEnglish
    ? { code: 'pt-BR', base: '/painel', name: 'Português' }
    : { code: 'en', base: '/en/painel', name: 'English' },
};

export const { money, decimal, percent, date, month, moment } = formatsOf(code);

/** Returns the form of a text for a number: `{ one: '1 key', other: (count) => `${count} keys` }`. */
export function plural(
  count: number,
  { one, other }: { readonly one: string; readonly other: string | ((count: string) => string) },
): string {
  if (count === 1) return one;
  return typeof other === 'string' ? other : other(decimal(count));
}

/** Returns the text of a name; the name itself where it has none. */
export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}

/** Texts that are loaded in one language only. */
export interface Texts<Messages> {
  /** Loads them. A route does this before it shows anything. */
  readonly load: () => Promise<void>;
  /** Returns them. @throws before they are loaded */
  readonly get: () => Messages;
}

export function defineTexts<Messages>(
  sources: Readonly<Record<LanguageCode, () => Promise<Messages>>>,
): Texts<Messages> {
  let loaded: Messages | undefined;
  return {
    load: async () => {
      loaded ??= await loadPart(sources[code]);
    },
    get: () => {
      if (loaded === undefined) throw new Error('The texts of this area were not loaded by its route');
      return loaded;
    },
  };
}
