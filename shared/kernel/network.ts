import { BlockList, isIP, isIPv4 } from 'node:net';

/** Returns an IPv4 address that arrived through an IPv6 socket as plain IPv4, and an IPv6 address without its zone. */
export function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.replace(/%.*$/, '');
}

/** The network that limits count as one source: an IPv4 address, or an IPv6 /64, which one subscriber holds whole. */
export function networkOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const prefix = groupsOf(plain).slice(0, 4);
  return `${prefix.map((group) => group.toString(16)).join(':')}::/64`;
}

const dottedEnd = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** Returns the eight groups of an IPv6 address without a zone; an IPv4 address at its end makes up the last two. */
export function groupsOf(address: string): number[] {
  const inGroups = address.replace(
    dottedEnd,
    (_dotted, a: string, b: string, c: string, d: string) => `${groupOf(a, b)}:${groupOf(c, d)}`,
  );
  const [left, right] = inGroups.split('::');
  const [before, after] = [numbersIn(left), numbersIn(right)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function groupOf(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

function numbersIn(groups = ''): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}

/** Whether a text is an address or a CIDR block: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  );
}

export type Trust = (address: string) => boolean;

/** Parses a list of trusted networks; entries are addresses or CIDR blocks. */
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
