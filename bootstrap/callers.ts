import type { Callers } from '../gateway/http/route-policy.js';
import { isAccessTokenLike } from '../shared/security/access-token.js';
import type { CallOrigin, Principal } from '../shared/kernel/context.js';
import type { Authenticator } from '../subgraphs/accounts/authenticate.js';
import { dueOf } from '../subgraphs/accounts/browser-sessions/browser-session.js';
import type { KnownBrowserSession } from '../subgraphs/accounts/browser-sessions/browser-session.store.js';
import type { SigningOriginators } from '../subgraphs/credit-assignment/originators/signing-originators.js';
import type { Traders } from '../subgraphs/trading/access/traders.js';

/** Combines the callers of all domains for the edge; each domain authenticates its own. The form of a bearer token shows which domain it belongs to. */
export function callersOf(
  authenticator: Authenticator,
  signingOriginators: SigningOriginators,
  traders: Traders,
): Callers {
  const byCookie = async (
    cookie: string,
    ofOperators: boolean | undefined,
    origin: CallOrigin | undefined,
  ): Promise<Principal | undefined> => {
    const session = await authenticator.findBrowserSession(cookie);
    // Sessions of operators count on their site alone, and no others do there.
    if (ofOperators !== undefined && (session?.kind === 'OPERATOR') !== ofOperators) return undefined;
    const principal = session && (await holderOf(session, traders, origin));
    if (session === undefined || principal === undefined) return undefined;
    const { id, kind, ownerId, enrolled, secondFactorAt, provedAt } = session;
    const isOriginator = kind === 'ACCOUNT' && (await signingOriginators.isLinked(ownerId));
    const due = dueOf({ enrolled, required: kind !== 'ACCOUNT' || isOriginator, secondFactorAt });
    const browser = { id, provedAtMs: provedAt.getTime(), ...(due === undefined ? {} : { due }) };
    const scopes = isOriginator ? [...principal.scopes, 'originator'] : principal.scopes;
    return { ...principal, scopes, browser };
  };
  return {
    authenticate: (credential, origin) => {
      const { apiKey, bearer, cookie, ofOperators } = credential;
      if (cookie !== undefined) return byCookie(cookie, ofOperators, origin);
      return apiKey === undefined && bearer !== undefined && isAccessTokenLike(bearer)
        ? traders.authenticate(bearer, origin)
        : authenticator.authenticate(credential, origin);
    },
    findClient: signingOriginators.find,
    touch: (caller) => authenticator.touch(caller),
    noteRefusal: (caller) => authenticator.noteRefusal(caller),
  };
}

/** Returns the principal that a session's owner has with any other credential: an account, an operator by a key, or a trading credential. */
function holderOf(
  session: KnownBrowserSession,
  traders: Traders,
  origin: CallOrigin | undefined,
): Promise<Principal | undefined> | Principal {
  const { id, kind, ownerId, confirmed, operatorKeyId, keyIssuedBy, roles, email } = session;
  if (kind === 'TRADER') return traders.byCredential(ownerId, origin);
  if (kind === 'ACCOUNT') return { kind: 'SESSION', id, ownerId, scopes: confirmed ? ['confirmed'] : [] };
  return {
    kind,
    id: operatorKeyId ?? id,
    ownerId,
    scopes: roles ?? [],
    ...(email === null ? {} : { name: email }),
    ...(keyIssuedBy === null ? {} : { keyIssuedBy }),
  };
}
