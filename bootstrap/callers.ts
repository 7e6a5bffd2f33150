import type { Callers } from '../gateway/edge/route-policy.js';
import { isAccessTokenLike } from '../shared/access-token.js';
import type { Authenticator } from '../subgraphs/accounts/authenticate.js';
import type { Clients } from '../subgraphs/credit-assignment/originators/clients.js';
import type { Traders } from '../subgraphs/trading/access/traders.js';

/** Everyone who may call, for the edge: each domain knows its own. A bearer says in its header which of them it is for. */
export function callersOf(authenticator: Authenticator, clients: Clients, traders: Traders): Callers {
  return {
    authenticate: (credential, origin) => {
      const { apiKey, bearer } = credential;
      return apiKey === undefined && bearer !== undefined && isAccessTokenLike(bearer)
        ? traders.authenticate(bearer, origin)
        : authenticator.authenticate(credential, origin);
    },
    findClient: clients.find,
    touch: (caller) => {
      authenticator.touch(caller);
    },
  };
}
