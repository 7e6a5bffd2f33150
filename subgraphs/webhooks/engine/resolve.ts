import { Resolver } from 'node:dns/promises';

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
