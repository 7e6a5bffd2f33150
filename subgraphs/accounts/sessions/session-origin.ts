import { isIPv4 } from 'node:net';
import type { Context } from '../../../shared/context.js';
import { networkOf } from '../../../shared/network.js';

/** Where a session was opened, and with what: as little as lets its owner tell it from another. */
export interface SessionOrigin {
  /** The /24 of an IPv4 address, the /64 of an IPv6 one. */
  readonly network: string;
  /** What the client calls itself, in printable characters, at most 120; null where it says nothing. */
  readonly userAgent: string | null;
}

const maxUserAgentLength = 120;

/** Where a request comes from, for the session that it opens. */
export function originOf({ ip, userAgent = '' }: Pick<Context, 'ip' | 'userAgent'>): SessionOrigin {
  const printable = userAgent.slice(0, 4 * maxUserAgentLength).replaceAll(/[^\x20-\x7e]/g, '');
  const shortened = printable.slice(0, maxUserAgentLength).trim();
  return { network: sessionNetwork(ip), userAgent: shortened === '' ? null : shortened };
}

function sessionNetwork(ip: string): string {
  const network = networkOf(ip);
  return isIPv4(network) ? network.replace(/\d+$/, '0/24') : network;
}
