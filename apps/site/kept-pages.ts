import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { isCachedResponse } from '../../shared/graphql/response-cache.js';
import type { Body } from './body.js';
import type { Redirect } from './page.js';

/** Bytes of all kept responses, with their compressed forms, and the share that these add at most to a text. */
const keptBytes = 33_554_432;
const withCodedForms = 1.5;

interface Kept {
  /** Names the results of the graph that the response was made of. */
  readonly source: string;
  readonly body: Body;
  /** Whether these results are cached, too. */
  readonly cached: boolean;
}

/** Finished responses by their page, language and parameters. */
export interface KeptPages {
  /** Whether a response is kept; with `cached`, only one whose results are cached, too, so that reading them again costs next to nothing. */
  has(key: string, { cached }: { readonly cached: boolean }): boolean;
  /** Returns the kept response that was made of the same results; undefined when there is none. */
  find(key: string, results: readonly GraphResult[]): Body | undefined;
  /** Returns the kept response, or makes and keeps it; of many concurrent callers one makes it. */
  make(key: string, results: readonly GraphResult[], build: () => Promise<Body | Redirect>): Promise<Body | Redirect>;
}

/** Creates the store of a process. It holds no results, only their hashes: a small file may be made of a large result. */
export function createKeptPages(): KeptPages {
  const kept = new LRUCache<string, Kept>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }, key) => Math.ceil(body.bytes.length * withCodedForms) + key.length + 500,
  });
  const underWay = new Map<string, Promise<Body | Redirect>>();

  return {
    has: (key, { cached }) => {
      const known = kept.peek(key);
      return known !== undefined && (known.cached || !cached);
    },
    find: (key, results) => {
      const known = kept.get(key);
      return known?.source === sourceOf(results) ? known.body : undefined;
    },
    make: (key, results, build) => {
      const source = sourceOf(results);
      const known = kept.get(key);
      if (known?.source === source) return Promise.resolve(known.body);
      const place = `${source} ${key}`;
      const begun = underWay.get(place);
      if (begun !== undefined) return begun;
      const own = build()
        .then((made) => {
          if ('bytes' in made && made.status === 200)
            kept.set(key, { source, body: made, cached: results.every(isCachedResponse) });
          return made;
        })
        .finally(() => underWay.delete(place));
      underWay.set(place, own);
      return own;
    },
  };
}

const hashes = new WeakMap<GraphResult, string>();

function sourceOf(results: readonly GraphResult[]): string {
  return results.map(hashOf).join(' ');
}

function hashOf(result: GraphResult): string {
  const hash = hashes.get(result) ?? createHash('sha256').update(JSON.stringify(result.data)).digest('base64url');
  hashes.set(result, hash);
  return hash;
}
