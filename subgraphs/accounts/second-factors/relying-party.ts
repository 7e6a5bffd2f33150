import type { OwnerKind } from '../../../shared/security/browser-session.js';
import type { Config } from '../../../shared/kernel/config.js';

/** The site that passkeys are bound to, from an address of this deployment. */
export interface RelyingParty {
  readonly name: string;
  readonly id: string;
  readonly origin: string;
}

export type SiteOf = (kind: OwnerKind) => RelyingParty;

/** Returns the sites of a configuration: operators may have one of their own. */
export function sitesOf({ publicUrl, operatorUrl }: Pick<Config, 'publicUrl' | 'operatorUrl'>): SiteOf {
  const home = relyingPartyOf(publicUrl);
  const operators = operatorUrl === undefined ? home : relyingPartyOf(operatorUrl);
  return (kind) => (kind === 'OPERATOR' ? operators : home);
}

function relyingPartyOf(address: string): RelyingParty {
  const { hostname, origin } = new URL(address);
  return { name: 'Lastro', id: hostname, origin };
}
