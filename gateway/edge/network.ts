import { BlockList, isIP, isIPv4 } from 'node:net';
import { unmapped } from '../../shared/network.js';

export { networkOf } from '../../shared/network.js';

/** Whether an address is one of a list. */
export type Trust = (address: string) => boolean;

/** Reads a list of those who are trusted with something; entries are addresses or CIDR blocks. */
export function trustOf(entries: readonly string[]): Trust {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = unmapped(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}
