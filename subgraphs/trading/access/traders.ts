import { noteAudit } from '../../../shared/security/audit/record.js';
import type { AuditTrail } from '../../../shared/security/audit/trail.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { CallOrigin, Principal } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { openOwnPool } from '../../../shared/database/own-pool.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { trustOf } from '../../../shared/kernel/network.js';
import { shared } from '../../../shared/memo.js';
import { createAccessTokens, type AccessTokens } from './access-tokens.js';
import { readFamily, readLiveCredential, type LiveFamily } from './access.store.js';

/** Together with the time of a look-up this keeps the promise of one second for revocations and changed scopes, without messages between instances. */
const beliefMs = 900;
const maxBeliefs = 20_000;

export interface TraderParts {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly databaseUrl: string;
  /** Receives an entry for calls from networks that are not allowed. */
  readonly audit?: AuditTrail;
}

export interface Traders {
  readonly tokens: AccessTokens;
  /**
   * Returns the principal of an access token: `id` is the credential's, `ownerId` the company's, `rateLimit` the requests per minute that were
   * agreed with it, `scopes` are what the credential may do now. Undefined for a token that is not ours or has expired, whose login
   * has ended or whose credential was revoked, and for one that may not be used from `origin`.
   */
  authenticate(token: string, origin: CallOrigin | undefined): Promise<Principal | undefined>;
  /** Returns the principal of a credential that a browser's session was opened with, under the same conditions. */
  byCredential(id: string, origin: CallOrigin | undefined): Promise<Principal | undefined>;
  readonly forgetFamily: (id: string) => void;
  close(): Promise<void>;
}

interface Belief extends LiveFamily {
  readonly isAllowedFrom: (address: string) => boolean;
}

/** Has connections of its own, since a caller is identified before its request runs. Nothing connects before the first look-up. */
export function openTraders({ keyRing, clock, log, databaseUrl, audit }: TraderParts): Traders {
  const pool = openOwnPool(databaseUrl, log, { name: 'traders', max: 2 });
  const tokens = createAccessTokens(keyRing, clock);
  const noting = { clock, log, ...(audit === undefined ? {} : { audit }) };
  const believed = async (read: typeof readFamily, id: string) => beliefOf(await read(pool, id));
  const bounds = { keptMs: beliefMs, maxEntries: maxBeliefs };
  const families = shared<Belief | undefined>({ name: 'trading-logins', ...bounds });
  const credentials = shared<Belief | undefined>({ name: 'trading-credentials', ...bounds });

  const admitted = (belief: Belief, origin: CallOrigin | undefined): Principal | undefined => {
    if (belief.expiresAt !== null && belief.expiresAt <= clock.now()) return undefined;
    const principal = principalOf(belief);
    // Without an address the text is empty, which is in no list.
    if (belief.isAllowedFrom(origin?.ip ?? '')) return principal;
    if (origin !== undefined) {
      const reason = 'INVALID_ACCESS_TOKEN: the credential is not allowed from this address';
      noteAudit({ ...noting, principal, ...origin }, { action: 'trading', outcome: 'REFUSED', reason });
    }
    return undefined;
  };

  return {
    tokens,
    authenticate: async (token, origin) => {
      const claims = await tokens.verify(token);
      const family = claims && (await families(claims.familyId, () => believed(readFamily, claims.familyId)));
      if (family === undefined || claims?.credentialId !== family.credentialId) return undefined;
      return claims.companyId === family.companyId ? admitted(family, origin) : undefined;
    },
    byCredential: async (id, origin) => {
      const credential = await credentials(id, () => believed(readLiveCredential, id));
      return credential && admitted(credential, origin);
    },
    forgetFamily: (id) => families.forget(id),
    close: () => pool.end(),
  };
}

function beliefOf(family: LiveFamily | undefined): Belief | undefined {
  if (family === undefined) return undefined;
  const { allowedNetworks } = family;
  return { ...family, isAllowedFrom: allowedNetworks === null ? () => true : trustOf(allowedNetworks) };
}

function principalOf({ credentialId, companyId, scopes, rateLimit }: LiveFamily): Principal {
  const caller = { kind: 'TRADER', id: credentialId, ownerId: companyId, scopes } as const;
  return rateLimit === null ? caller : { ...caller, rateLimit };
}
