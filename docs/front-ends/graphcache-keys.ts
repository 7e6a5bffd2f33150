import type { KeyingConfig, ResolverConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { identities } from './identities.js';
import { connections } from './schema-types.js';

/** `keys` of Graphcache's `cacheExchange`: complete for every type of the schema, so that it warns of none. */
export const keys: KeyingConfig = Object.fromEntries(
  identities.map(([type, fields]) => [type, (data) => keyOf(fields.map((field) => data[field]))]),
);

/** Returns the key of an object; null for one without an identity, or whose document does not select all fields of it. */
function keyOf(values: readonly unknown[]): string | null {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length > 0 && texts.length === values.length ? texts.join(' ') : null;
}

/** `resolvers` of `cacheExchange`, for lists without end: each connection is one list of all its pages that were read. */
export const resolvers: ResolverConfig = Object.fromEntries(
  Object.entries(connections).map(([type, fields]) => [
    type,
    Object.fromEntries(Object.keys(fields).map((field) => [field, relayPagination()])),
  ]),
);
