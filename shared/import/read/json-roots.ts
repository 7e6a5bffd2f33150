import { isRecord } from '../../is-record.js';
import { rootsOf, type ImportDomain } from '../domain.js';
import { broken, type BrokenImportRule } from '../import-rules.js';
import type { Kind } from '../model/kind.js';

export type Path = readonly (string | number)[];

/** A record at the top level of a JSON file. */
export interface RootRecord {
  readonly path: Path;
  readonly kind: Kind;
  readonly domain: ImportDomain;
}

export interface RootError {
  readonly path: Path;
  readonly error: BrokenImportRule;
}

interface Root {
  readonly kind: Kind;
  readonly domain: ImportDomain;
}

/**
 * Finds the records of a file: a single one, a list of them, or an object with named lists of them. Outside of a named list, the kind of a record is
 * inferred from its fields.
 */
export function findRoots(
  value: unknown,
  domains: readonly ImportDomain[],
): { readonly records: readonly RootRecord[]; readonly errors: readonly RootError[] } {
  const roots = domains.flatMap((domain) => rootsOf(domain).map((kind) => ({ kind, domain })));
  if (Array.isArray(value)) {
    return { records: value.map((item, at) => ({ path: [at], ...closestRoot(item, roots) })), errors: [] };
  }
  const named = (name: string) => roots.find(({ kind }) => kind.list === name);
  const entries: [string, unknown][] = isRecord(value) ? Object.entries(value) : [];
  if (!entries.some(([name, list]) => named(name) !== undefined && Array.isArray(list))) {
    return { records: [{ path: [], ...closestRoot(value, roots) }], errors: [] };
  }
  const records: RootRecord[] = [];
  const errors: RootError[] = [];
  for (const [name, list] of entries) {
    const root = named(name);
    if (root !== undefined && Array.isArray(list)) {
      records.push(...list.map((_, at) => ({ path: [name, at], ...root })));
    } else if (name !== '$schema') {
      const known = roots[0]?.kind.list ?? '';
      const error = root === undefined ? broken('JSON_LIST_UNKNOWN', { known }) : broken('JSON_LIST');
      errors.push({ path: [name], error });
    }
  }
  return { records, errors };
}

/** Returns the kind with the most names in common, then with the fewest required ones missing; the first kind if nothing matches. */
function closestRoot(value: unknown, roots: readonly Root[]): Root {
  const names = new Set(isRecord(value) ? Object.keys(value) : []);
  const scored = roots.map((root) => {
    const own = new Set(root.kind.fields.map(({ name }) => name.split('.')[0] ?? ''));
    const lists = root.domain.kinds.filter(({ parent }) => parent?.kind === root.kind).map(({ list }) => list);
    const required = root.kind.fields.filter((field) => field.required).map(({ name }) => name);
    return {
      root,
      shared: [...own, ...lists].filter((name) => names.has(name)).length,
      missing: required.filter((name) => !names.has(name)).length,
    };
  });
  const known = scored.filter(({ shared }) => shared > 0);
  const [best] = known.sort((one, other) => other.shared - one.shared || one.missing - other.missing);
  const root = best?.root ?? roots[0];
  if (root === undefined) throw new Error('No domain accepts JSON files');
  return root;
}
