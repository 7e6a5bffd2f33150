import { isIPv4 } from 'node:net';
import type { Context } from '../../../shared/kernel/context.js';
import { networkOf } from '../../../shared/kernel/network.js';

/** Network and client from which a session was opened: just enough for its owner to distinguish sessions. */
export interface SessionOrigin {
  /** The /24 of an IPv4 address, the /64 of an IPv6 one. */
  readonly network: string;
  /** The client's user agent, in printable characters, at most 120; null if it sends none. */
  readonly userAgent: string | null;
}

const maxUserAgentLength = 120;

export function originOf({ ip, userAgent = '' }: Pick<Context, 'ip' | 'userAgent'>): SessionOrigin {
  const printable = userAgent.slice(0, 4 * maxUserAgentLength).replaceAll(/[^\x20-\x7e]/g, '');
  const shortened = printable.slice(0, maxUserAgentLength).trim();
  return { network: sessionNetwork(ip), userAgent: shortened === '' ? null : shortened };
}

function sessionNetwork(ip: string): string {
  const network = networkOf(ip);
  return isIPv4(network) ? network.replace(/\d+$/, '0/24') : network;
}
