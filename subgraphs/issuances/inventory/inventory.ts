import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import type { InventoryGroup, PublishedFields } from './generalize.js';

/** A credit as it is published. */
export interface InventoryLine {
  readonly id: string;
  readonly fields: PublishedFields;
}

/**
 * Returns the credits of some groups in the order of their opaque ids, which is effectively random. A credit has a different id in
 * every operation, and nothing can be concluded from it without the secret key. The id stays the same only as long as the group has
 * the same members, so that following an id from day to day reveals only facts about the whole group.
 */
export function inventoryLines(
  keyRing: KeyRing,
  operationId: string,
  groups: readonly InventoryGroup[],
): InventoryLine[] {
  return groups
    .flatMap(({ contractIds, fields }) => {
      const members = contractIds.toSorted().join(' ');
      const secret = keyRing.hmac('issuances/inventory', `${operationId}/${members}`).toString('hex');
      return contractIds.map((id) => ({ id: opaqueId(secret, id), fields }));
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

/**
 * Returns the opaque id of a contract.
 * @param secret of the group, derived from the secret key
 */
function opaqueId(secret: string, contractId: string): string {
  return sha256(`${secret}/${contractId}`).subarray(0, 16).toString('base64url');
}
