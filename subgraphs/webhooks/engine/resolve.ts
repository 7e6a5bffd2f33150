import { Resolver } from 'node:dns/promises';

/** The addresses of a host name. Rejects with `NoAddress` when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A host name without an address, with the code that Node's own look-ups have for it. */
export class NoAddress extends Error {
  readonly code = 'ENOTFOUND';
}

/**
 * Asks the name servers, and not the system's resolver: that waits on a thread which the whole process shares, so that a
 * name that does not answer would hold up everyone else's. Names of this machine are answered here (RFC 6761 §6.3).
 * @param servers addresses with ports; those that this machine is set up with when not given.
 */
export function nameServers(servers?: readonly string[]): Resolve {
  // A silent server is asked twice, which takes about as long as an attempt may take.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new NoAddress(`${hostname} has no address`);
    return addresses;
  };
}
