import { sha256, type KeyRing } from '../../../shared/crypto.js';
import type { InventoryGroup, PublishedFields } from './generalize.js';

/** A credit as it is published. */
export interface InventoryLine {
  readonly id: string;
  readonly fields: PublishedFields;
}

/**
 * The credits of some groups in the order of their opaque ids: as good as drawn by lot. The id of a credit is different in every
 * operation, and nothing can be concluded from it without the house's key. It stands for as long as the group of the
 * credit has the same members, and no longer: who follows an id from day to day learns of its credit what holds for the whole group.
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

/** @param secret of the group, from the house's key */
function opaqueId(secret: string, contractId: string): string {
  return sha256(`${secret}/${contractId}`).subarray(0, 16).toString('base64url');
}
