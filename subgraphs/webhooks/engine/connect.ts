import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { errorOf } from '../../../shared/thrown.js';
import { mayReach, withoutBrackets, type Reach } from './address.js';
import type { Resolve } from './resolve.js';

/** The error for a receiver that must not be connected to. */
export class Unreachable extends Error {
  readonly code = 'UNREACHABLE';
}

export interface ConnectOptions extends Reach {
  readonly resolve: Resolve;
}

const refusal = 'The address is not one of the public internet';

/** Rejects an IP address that is not allowed: it is connected to without a look-up. @throws {Unreachable} */
export function requireReachable({ hostname, protocol }: URL, reach: Reach): void {
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0 && !mayReach(host, protocol, reach)) throw new Unreachable(refusal);
}

/**
 * Creates a look-up that checks what it resolves when a connection is made: the connection is to exactly the address that was checked, even if DNS
 * changes a moment later. Rejects a name if any of its addresses is not allowed.
 */
export function guardedLookup({ resolve, ...reach }: ConnectOptions, protocol: string): LookupFunction {
  return (hostname, options, callback) => {
    const result = async () => {
      const addresses = await resolve(hostname);
      if (!addresses.every((address) => mayReach(address, protocol, reach))) throw new Unreachable(refusal);
      return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    };
    result().then(
      (found) => {
        const [first] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: unknown) => callback(errorOf(error), '', 0),
    );
  };
}
