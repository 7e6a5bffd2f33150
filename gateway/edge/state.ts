import type { Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { anonymous, type Context, type Principal } from '../../shared/context.js';
import { networkOf } from './network.js';
import { publicRules, type EdgeRules } from './route-policy.js';

/** What the edge knows of a request. */
export interface EdgeState {
  rules: EdgeRules;
  /** The route's template, as metrics name it; `unmatched` when there is none. */
  route: string;
  principal: Principal;
  context: Context | undefined;
  /** Whether it says that it is signed and that is not proved yet: an error is then at the expense of its network. */
  unproved: boolean;
  /** Proves a signed request, once its body is there; undefined where nothing is left to prove. */
  prove: (() => Promise<void>) | undefined;
  /** By which a request was proved to be its client's. */
  signature: Buffer | undefined;
  /** Takes the bytes of a signed body as they come in. */
  hash: Hash | undefined;
  /** SHA-256 of a large body by itself, where an idempotency key is bound to it: the bytes need not be kept for that. */
  bodyDigest: Buffer | undefined;
  /** Spends what a body costs whose length was not announced; undefined where that is paid. */
  payForBody: ((bytes: number) => Promise<void>) | undefined;
  /** Spends what a packed body costs beyond its bytes as sent, by its bytes once it is unpacked; undefined where a body is not packed. */
  payForUnpacked: ((bytes: number) => Promise<void>) | undefined;
  /** Gives back the room of a large body; called when its answer goes out. */
  release: (() => void) | undefined;
}

/** What is known when a request comes in. */
export function stateOf(request: FastifyRequest): EdgeState {
  const settings = request.routeOptions.config;
  return {
    rules: settings.edge ?? publicRules,
    route: request.is404 ? 'unmatched' : settings.url,
    principal: anonymous(networkOf(request.ip)),
    context: undefined,
    unproved: false,
    prove: undefined,
    signature: undefined,
    hash: undefined,
    bodyDigest: undefined,
    payForBody: undefined,
    payForUnpacked: undefined,
    release: undefined,
  };
}
