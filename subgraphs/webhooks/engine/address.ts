import { BlockList, isIP, isIPv4 } from 'node:net';
import { groupsOf } from '../../../shared/kernel/network.js';
import { Resolver } from 'node:dns/promises';

/** Which receivers may be reached: only public networks, or loopback too. */
export interface Reach {
  readonly allowInsecure: boolean;
}

type Subnet = readonly [address: string, prefix: number];

/** IPv4 ranges that are not public: IANA's special-purpose registry (RFC 6890 and its updates), multicast and reserved. */
const closed4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A public address, but within Azure it is the platform's own server, which returns secrets to any machine there.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Ranges within 2000::/3 that are not public: Teredo and other protocols, documentation, 6to4. */
const closed6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = listOf(closed4, closed6);
const global6 = listOf([], [['2000::', 3]]);
const loopback = listOf([['127.0.0.0', 8]], [['::1', 128]]);

/** IPv4 within IPv6 (mapped, RFC 4291 §2.5.5.2; NAT64, RFC 6052) is treated as IPv4. `allowInsecure` permits loopback, and only loopback may be used without TLS. */
export function mayReach(address: string, protocol: string, { allowInsecure }: Reach): boolean {
  const plain = withinIPv6(address) ?? address;
  const own = isIP(plain) !== 0 && loopback.check(plain, familyOf(plain));
  if (own) return allowInsecure;
  return protocol === 'https:' && isPublic(plain);
}

function isPublic(address: string): boolean {
  if (isIP(address) === 0 || closed.check(address, familyOf(address))) return false;
  return isIPv4(address) || global6.check(address, 'ipv6');
}

export function isLoopback(host: string): boolean {
  const bare = withoutBrackets(host);
  return /^(.+\.)?localhost\.?$/i.test(bare) || mayReach(bare, 'http:', { allowInsecure: true });
}

/** Names of private networks, whatever they resolve to: RFC 6762, RFC 8375, ICANN's `.internal`, and cloud metadata services. */
const privateName = /(^|\.)(internal|local|home\.arpa|metadata\.goog)$/;

/** Such a name is without a dot, below a domain reserved for private use, or of a cloud metadata service. The addresses of other names are checked on connection. */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || privateName.test(name);
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

function listOf(four: readonly Subnet[], six: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of four) list.addSubnet(address, prefix, 'ipv4');
  for (const [address, prefix] of six) list.addSubnet(address, prefix, 'ipv6');
  return list;
}

/** Returns the IPv4 address embedded in an IPv6 address, if any: `::ffff:a.b.c.d`, `::a.b.c.d`, `64:ff9b::a.b.c.d`. */
function withinIPv6(address: string): string | undefined {
  if (isIP(address) !== 6 || address.includes('%')) return undefined;
  const groups = groupsOf(address);
  const head = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  const [high = 0, low = 0] = groups.slice(6);
  const embeds = head === '0:0:0:0:0:ffff' || head === '64:ff9b:0:0:0:0' || (head === '0:0:0:0:0:0' && high > 0);
  return embeds ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.') : undefined;
}

/** Resolves a host name to its addresses. Rejects with `NoAddress` when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The error for a host name without an address, with the code that Node's own look-ups use. */
export class NoAddress extends Error {
  readonly code = 'ENOTFOUND';
}

/** Queries name servers directly: the system's resolver blocks a thread pool that the process shares. Names of this machine are resolved here (RFC 6761 §6.3). @param servers with ports */
export function nameServers(servers?: readonly string[]): Resolve {
  // Two tries against a silent server take about as long as an attempt may take.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0) throw new NoAddress(`${hostname} has no address`);
    return addresses;
  };
}
