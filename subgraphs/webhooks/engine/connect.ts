import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { errorOf } from '../../../shared/thrown.js';
import { mayReach, withoutBrackets, type Reach } from './address.js';
import type { Resolve } from './resolve.js';

/** The error for a receiver that must not be connected to. */
export class Unreachable extends Error {
  readonly code = 'UNREACHABLE';
}

export interface ConnectOptions extends Reach {
  readonly resolve: Resolve;
  readonly timeoutMs: number;
}

/**
 * Creates a connector that checks the resolved address on connection: it connects to exactly the address that it checked,
 * even if DNS changes a moment later. Rejects a name if any of its addresses is not allowed.
 */
export function guardedConnector({ resolve, timeoutMs, ...reach }: ConnectOptions): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve, protocol, reach) });
  const plain = connectorFor('http:');
  const secure = connectorFor('https:');
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    // IP addresses are connected to without a look-up.
    if (isIP(host) !== 0 && !mayReach(host, options.protocol, reach)) {
      callback(new Unreachable(refusal), null);
      return;
    }
    (options.protocol === 'https:' ? secure : plain)(options, callback);
  };
}

const refusal = 'The address is not one of the public internet';

function guardedLookup(resolve: Resolve, protocol: string, reach: Reach): LookupFunction {
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
