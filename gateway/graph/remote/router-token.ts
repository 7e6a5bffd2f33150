import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../shared/kernel/clock.js';
import { anonymous, type Principal } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';

/** Another federation router that is trusted to say who calls: the keys that its tokens are signed with, and their issuer. */
export interface RouterTrust {
  readonly keys: JSONWebKeySet;
  readonly issuer: string;
}

/** Verifies the tokens that come with the calls of another router. */
export interface RouterTokens {
  /**
   * Returns the caller whom a token names.
   * @param network the network of the caller, who is known by it where the token names nobody
   * @throws {ApiError} UNAUTHORIZED when it is not signed by a known key, or is for another service or another time
   */
  verify(subgraph: string, token: string, network: string): Promise<Principal>;
}

/** Signatures by keys that only their owner has: what verifies a token here cannot make one. */
const algorithms = ['EdDSA', 'ES256', 'ES384', 'PS256', 'RS256'];
/** A token is for a request, and not for a day: whoever reads it in the network of the subgraphs can use it for as long. */
const maxLifetimeSeconds = 300;
/** Maximum difference between the clocks of two machines. */
const toleranceSeconds = 30;
/** The audience of a token for all subgraphs; the name of one is accepted by that one too. */
const anySubgraph = 'lastro';

const id = z.string().min(1).max(200);
const claims = z.object({
  sub: id.optional(),
  iat: z.number(),
  exp: z.number(),
  caller: z
    .object({
      // Neither operators nor the program itself: their acts come by the platform's own gateway.
      kind: z.enum(['API_KEY', 'DEVELOPER_KEY', 'SESSION', 'CLIENT', 'TRADER']),
      id,
      scopes: z.array(z.string().max(100)).max(100).default([]),
    })
    .optional(),
});

/** Creates the verification. Claims: `iss`, `aud`, `iat`, `exp`, and for a known caller `sub` (its owner) and `caller` (kind, id and scopes of its credential). */
export function createRouterTokens({ keys, issuer }: RouterTrust, clock: Clock): RouterTokens {
  const known = createLocalJWKSet(keys);
  return {
    verify: async (subgraph, token, network) => {
      const { payload } = await jwtVerify(token, known, {
        algorithms,
        issuer,
        audience: [anySubgraph, subgraph],
        currentDate: clock.now(),
        clockTolerance: toleranceSeconds,
        maxTokenAge: maxLifetimeSeconds,
        requiredClaims: ['exp', 'iat'],
      }).catch((cause: unknown) => {
        throw new ApiError('UNAUTHORIZED', { cause });
      });
      const said = claims.safeParse(payload);
      if (!said.success) throw new ApiError('UNAUTHORIZED', { cause: said.error });
      const { sub, iat, exp, caller } = said.data;
      if (exp - iat > maxLifetimeSeconds) throw new ApiError('UNAUTHORIZED');
      if (caller === undefined) return anonymous(network);
      if (sub === undefined) throw new ApiError('UNAUTHORIZED');
      return { kind: caller.kind, id: caller.id, ownerId: sub, scopes: caller.scopes };
    },
  };
}
