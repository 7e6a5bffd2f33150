/** The site that passkeys are bound to, from the public address of this deployment. */
export interface RelyingParty {
  readonly name: string;
  /** The host name. */
  readonly id: string;
  readonly origin: string;
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { name: 'Lastro', id: hostname, origin };
}
