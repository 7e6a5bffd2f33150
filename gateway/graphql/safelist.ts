import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../shared/kernel/errors.js';
import { jsonOf, searchOf } from './request-parts.js';
import { LRUCache } from 'lru-cache';

export interface DocumentRequest {
  readonly query?: unknown;
  /** The name of a persisted document (GraphQL over HTTP, appendix A). */
  readonly documentId?: unknown;
  /** Extensions; Apollo's persisted queries put the SHA-256 of the text there. */
  readonly extensions?: unknown;
}

export interface Safelist {
  readonly texts: readonly string[];
  /** Returns the text of the document that a request means. @throws {ApiError} FORBIDDEN when it is not on the list. */
  textOf(request: DocumentRequest): string;
  /** Returns the same; undefined when it is not on the list. */
  readonly find: (request: DocumentRequest) => string | undefined;
}

const file = z.record(z.string().min(1), z.string().min(1));
const apollo = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

/** A JSON object of documents by name or SHA-256 of their text. @param own documents of the program's pages, always listed @throws for another form */
export function readSafelist(path: string, own: Iterable<string> = []): Safelist {
  const documents = new Map(Object.entries(file.parse(JSON.parse(readFileSync(path, 'utf8')))));
  const texts = [...documents.values(), ...own];
  for (const text of texts) documents.set(sha256(text), text);
  const find = ({ query, documentId, extensions }: DocumentRequest) => {
    const parsed = apollo.safeParse(extensions);
    const hash = parsed.success ? parsed.data.persistedQuery.sha256Hash : undefined;
    const id = typeof query === 'string' ? sha256(query) : (documentId ?? hash);
    return typeof id === 'string' ? documents.get(id) : undefined;
  };
  return {
    texts,
    find,
    textOf: (request) => {
      const text = find(request);
      if (text !== undefined) return text;
      throw new ApiError('FORBIDDEN', {
        message: 'This server runs only the documents on its safelist, and this one is not on it',
      });
    },
  };
}

/** Returns the request with the text of its document, which must be on the list. */
export function safelisted(
  request: FastifyRequest,
  safelist: Safelist,
): { readonly body: unknown; readonly search: string } {
  if (request.method === 'POST') {
    const body: Record<string, unknown> = { ...(typeof request.body === 'object' ? request.body : {}) };
    return { body: { ...body, query: safelist.textOf(body), extensions: null }, search: '' };
  }
  const search = new URLSearchParams(searchOf(request));
  const given = Object.fromEntries(search);
  search.set('query', safelist.textOf({ ...given, extensions: jsonOf(given['extensions']) }));
  search.delete('extensions');
  return { body: undefined, search: `?${search.toString()}` };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The texts of Apollo's persisted queries, within a limit of memory; the least recently used are forgotten first. */
export interface PersistedQueries {
  readonly cache: {
    get(key: string): Promise<string | undefined>;
    set(key: string, text: string): Promise<void>;
    delete(key: string): Promise<boolean>;
  };
  readonly find: (request: DocumentRequest) => string | undefined;
}

const maxCharacters = 4_194_304;
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
