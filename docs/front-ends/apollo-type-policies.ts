import type { TypePolicies, TypePolicy } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { identities } from './identities.js';
import { connections, lists } from './schema-types.js';

export { possibleTypes } from './schema-types.js';

const keys = new Map(identities);
const types = [...new Set([...keys.keys(), ...Object.keys(lists), ...Object.keys(connections)])];

/**
 * `typePolicies` of Apollo's `InMemoryCache`, complete for every type of the schema. Fields of an object without an identity are merged with those that
 * other documents read of it, since it belongs to one field of one object; a list is replaced as a whole.
 */
export const typePolicies: TypePolicies = Object.fromEntries(types.map((type) => [type, policyOf(type)]));

/**
 * The same, for lists without end: each connection is one list of all its pages that were read. Documents must select its `edges`, not its
 * `nodes`.
 */
export const pagedTypePolicies: TypePolicies = {
  ...Object.fromEntries(types.map((type) => [type, pagedPolicyOf(type)])),
  // The end of a page is that of the page alone: `relayStylePagination` keeps the ends of the list itself.
  PageInfo: { keyFields: false, merge: false },
};

function policyOf(type: string): TypePolicy {
  const keyFields = keys.get(type);
  const fields = Object.fromEntries((lists[type] ?? []).map((field) => [field, { merge: false }]));
  if (keyFields === undefined) return { fields };
  return keyFields.length > 0 ? { keyFields: [...keyFields], fields } : { keyFields: false, merge: true, fields };
}

function pagedPolicyOf(type: string): TypePolicy {
  const paged = Object.entries(connections[type] ?? {}).map(
    ([field, chosen]) => [field, relayStylePagination(chosen)] as const,
  );
  const { fields, ...policy } = policyOf(type);
  return { ...policy, fields: { ...fields, ...Object.fromEntries(paged) } };
}
