import { formatsOf, type LanguageCode } from '../../design/formats.js';
import { inLanguage, type InLanguage } from '../../design/texts.js';
import { loadPart } from './load-part.js';

const isEnglish = /^\/en(\/|$)/.test(location.pathname);
const code: LanguageCode = isEnglish ? 'en' : 'pt-BR';

/** The language of the page, which its address says and which stays the same until another page is loaded. */
export const language = {
  code,
  base: isEnglish ? '/en/painel' : '/painel',
  prefix: isEnglish ? '/en' : '',
  graph: isEnglish ? ('EN' as const) : ('PT_BR' as const),
  other: isEnglish
    ? { code: 'pt-BR', base: '/painel', name: 'Português' }
    : { code: 'en', base: '/en/painel', name: 'English' },
};

export const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());

export const clock = (value: string) => new Date(value).toLocaleTimeString(code, { timeZone: 'America/Sao_Paulo' });

export const { money, decimal, counted, percent, date, month, moment } = formatsOf(code);

/** The forms of a text for numbers: `{ one: '1 key', other: '# keys' }`. */
interface Forms {
  readonly one: string;
  readonly other: string;
}

/** Returns the form of a text for a number; `hasMore` as in `counted`. */
export function plural(count: number, { one, other }: Forms, hasMore?: boolean): string {
  return count === 1 && hasMore !== true ? one : other.replace('#', counted(count, hasMore));
}

export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}

export interface Texts<Messages> {
  /** Loads the messages. A route does this before it shows anything. */
  readonly load: () => Promise<void>;
  readonly get: () => Messages;
}

export function defineTexts<T>(source: () => Promise<T>): Texts<InLanguage<T>> {
  let loaded: InLanguage<T> | undefined;
  return {
    load: async () => {
      loaded ??= inLanguage(code, await loadPart(source));
    },
    get: () => {
      if (loaded === undefined) throw new Error('The texts of this area were not loaded by its route');
      return loaded;
    },
  };
}
