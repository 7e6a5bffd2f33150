import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { sha256, type DocumentRequest } from './safelist.js';

/** The texts of Apollo's persisted queries, within a limit of memory; the least recently used are forgotten first. */
export interface PersistedQueries {
  /** The form that Apollo Server takes. */
  readonly cache: {
    get(key: string): Promise<string | undefined>;
    set(key: string, text: string): Promise<void>;
    delete(key: string): Promise<boolean>;
  };
  /** Returns the text of the document that a request names only by its hash. */
  readonly find: (request: DocumentRequest) => string | undefined;
}

/** Maximum number of characters of all texts. */
const maxCharacters = 4_194_304;
/** Apollo Server puts this before the hash. */
const keyPrefix = 'apq:';
const form = z.strictObject({ persistedQuery: z.strictObject({ version: z.literal(1), sha256Hash: z.string() }) });

/** @param own documents of the program's pages, which are known from the start and never forgotten */
export function createPersistedQueries(own: Iterable<string> = []): PersistedQueries {
  const texts = new LRUCache<string, string>({ maxSize: maxCharacters, sizeCalculation: (text) => text.length + 64 });
  const always = new Map([...own].map((text) => [`${keyPrefix}${sha256(text)}`, text]));
  const find = (key: string) => always.get(key) ?? texts.get(key);
  return {
    cache: {
      get: (key) => Promise.resolve(find(key)),
      set: (key, text) => {
        texts.set(key, text);
        return Promise.resolve();
      },
      delete: (key) => Promise.resolve(texts.delete(key)),
    },
    find: ({ extensions }) => {
      const { data } = form.safeParse(extensions);
      return data === undefined ? undefined : find(`${keyPrefix}${data.persistedQuery.sha256Hash}`);
    },
  };
}
