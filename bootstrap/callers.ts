import type { Callers } from '../gateway/edge/route-policy.js';
import { isAccessTokenLike } from '../shared/access-token.js';
import type { Authenticator } from '../subgraphs/accounts/authenticate.js';
import type { SigningOriginators } from '../subgraphs/credit-assignment/originators/signing-originators.js';
import type { Traders } from '../subgraphs/trading/access/traders.js';

/** Combines the callers of all domains for the edge; each domain authenticates its own. The form of a bearer token shows which domain it belongs to. */
export function callersOf(
  authenticator: Authenticator,
  signingOriginators: SigningOriginators,
  traders: Traders,
): Callers {
  return {
    authenticate: (credential, origin) => {
      const { apiKey, bearer } = credential;
      return apiKey === undefined && bearer !== undefined && isAccessTokenLike(bearer)
        ? traders.authenticate(bearer, origin)
        : authenticator.authenticate(credential, origin);
    },
    findClient: signingOriginators.find,
    touch: (caller) => authenticator.touch(caller),
  };
}
