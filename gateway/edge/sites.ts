import type { Config } from '../../shared/config.js';

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
  const operators = operatorUrl === undefined ? undefined : new URL(operatorUrl);
  const isOperators = (hostname: string) => operators && hostname.toLowerCase() === operators.hostname;
  const urlOf = (hostname: string) => (isOperators(hostname) === true ? (operatorUrl ?? publicUrl) : publicUrl);
  return { isOperators, urlOf, originOf: (hostname) => new URL(urlOf(hostname)).origin };
}

/** What the operators' site serves: the panel with its scripts, the log-in, the graph, and the probes. */
const operatorPaths = /^\/(?:(?:en\/)?painel|assets|web\/session|graphql|healthz|readyz|metrics)(?:[/?]|$)/;

/** Whether the operators' site serves an address. */
export function servesOperators(url: string): boolean {
  return operatorPaths.test(url);
}
