import { sha256, type KeyRing } from '../../../shared/crypto.js';
import type { InventoryGroup, PublishedFields } from './generalize.js';

/** A credit as it is published. */
export interface InventoryLine {
  readonly id: string;
  readonly fields: PublishedFields;
}

/**
 * The name under which a contract appears in an inventory: different in every operation, and nothing can be concluded from it
 * without the house's key. It stands for as long as the group of the contract has the same members, and no longer: who follows a
 * name from day to day learns of its contract what holds for the whole group.
 * @param members digest of the ids of the contracts in its group
 */
export function opaqueId(keyRing: KeyRing, operationId: string, members: string, contractId: string): string {
  return keyRing
    .hmac('issuances/inventory', `${operationId}/${members}/${contractId}`)
    .subarray(0, 16)
    .toString('base64url');
}

/** The credits of some groups in the order of their opaque ids: as good as drawn by lot. */
export function inventoryLines(
  keyRing: KeyRing,
  operationId: string,
  groups: readonly InventoryGroup[],
): InventoryLine[] {
  return groups
    .flatMap(({ contractIds, fields }) => {
      const members = sha256(contractIds.toSorted().join(' ')).toString('hex');
      return contractIds.map((id) => ({ id: opaqueId(keyRing, operationId, members, id), fields }));
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}
