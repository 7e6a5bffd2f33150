import type { FastifyRequest } from 'fastify';
import type { Config } from '../../shared/kernel/config.js';

/** The sites of this deployment: the public one, and where `OPERATOR_URL` is set that of its operators, each with a host name of its own. */
export interface Sites {
  /** Whether a host name is that of the operators' site; undefined where they have none of their own. */
  readonly isOperators: (hostname: string) => boolean | undefined;
  /** Returns the address of the site with a host name: the public one, unless it is that of the operators. */
  readonly urlOf: (hostname: string) => string;
  /** Returns the origin of the pages of that site. */
  readonly originOf: (hostname: string) => string;
}

/** Creates the sites of a configuration. */
export function createSites({ publicUrl, operatorUrl }: Pick<Config, 'publicUrl' | 'operatorUrl'>): Sites {
  const name = operatorUrl === undefined ? undefined : new URL(operatorUrl).hostname;
  const isOperators = (hostname: string) => (name === undefined ? undefined : hostname.toLowerCase() === name);
  const urlOf = (hostname: string) => (isOperators(hostname) === true ? (operatorUrl ?? publicUrl) : publicUrl);
  return { isOperators, urlOf, originOf: (hostname) => new URL(urlOf(hostname)).origin };
}

/** What the operators' site serves: the panel with its scripts, the log-in, the page that shows an operator a key, the graph, and the probes. */
const operatorPaths =
  /^\/(?:(?:en\/)?(?:painel|chave-de-operador)|assets|web\/session|graphql|healthz|readyz|metrics)(?:[/?]|$)/;

/** Whether a request asks the operators' site for something that only the public one has. */
export function isElsewhere({ hostname, url, server }: Pick<FastifyRequest, 'hostname' | 'server' | 'url'>): boolean {
  return server.edgeMaker.sites.isOperators(hostname) === true && !operatorPaths.test(url);
}
