import { trustOf } from '../../../shared/network.js';

/** Whether a credential may be used from an address. Null allows every address; text that is not an address is in no list. */
export function isAllowedFrom(networks: readonly string[] | null, address: string | undefined): boolean {
  return networks === null || (address !== undefined && trustOf(networks)(address));
}
