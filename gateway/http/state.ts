import type { Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../shared/registry.js';
import { anonymous, type Context, type Principal } from '../../shared/kernel/context.js';
import type { Span } from '../../shared/kernel/tracing/span.js';
import { networkOf } from '../../shared/kernel/network.js';
import type { Standing } from './limits/limiter.js';
import { publicRules, type EdgeRules } from './route-policy.js';

/** State that the edge keeps of a request. */
export interface EdgeState {
  rules: EdgeRules;
  /** The route's template, as metrics name it; `unmatched` when there is none. */
  route: string;
  principal: Principal;
  context: Context | undefined;
  /** The span of the request, where its trace is recorded. */
  span: Span | undefined;
  /** State of its own bucket after it was last charged; undefined before that. */
  standing: Standing | undefined;
  /** Points that its own bucket was charged. */
  charged: number;
  /** The code of the error in the response, if any; of the graph that of the first one. */
  errorCode: ErrorCode | undefined;
  /** Whether the request claims a signature that is not verified yet: an error is then charged to its network. */
  unproved: boolean;
  /** Verifies a signed request once its body has been read; undefined where nothing is left to verify. */
  prove: (() => Promise<void>) | undefined;
  /** The signature that was verified. */
  signature: Buffer | undefined;
  /** Receives the bytes of a signed body as they come in. */
  hash: Hash | undefined;
  /** SHA-256 of a large body, where an idempotency key is bound to it: the bytes need not be kept for that. */
  bodyDigest: Buffer | undefined;
  /** Charges a body whose length was not announced; undefined where it is already charged. */
  payForBody: ((bytes: number) => Promise<void>) | undefined;
  /** Charges a compressed body beyond its bytes as sent, by its decompressed bytes; undefined where a body is not compressed. */
  payForUnpacked: ((bytes: number) => Promise<void>) | undefined;
  /** Gives back the memory of a large body; called when its response is sent. */
  release: (() => void) | undefined;
}

/** Returns the initial state of a request. */
export function stateOf(request: FastifyRequest): EdgeState {
  const settings = request.routeOptions.config;
  return {
    rules: settings.edge ?? publicRules,
    route: request.is404 ? 'unmatched' : settings.url,
    principal: anonymous(networkOf(request.ip)),
    context: undefined,
    span: undefined,
    standing: undefined,
    charged: 0,
    errorCode: undefined,
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
