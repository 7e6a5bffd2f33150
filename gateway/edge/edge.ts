import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config.js';
import { recordAccess } from './access-log.js';
import type { Admission } from './admission.js';
import { readBodies } from './body.js';
import { admit } from './charge.js';
import { offerCompression } from './compression.js';
import type { Connections } from './connections.js';
import type { ContextMaker } from './context.js';
import { createDeparture, type Departure } from './departure.js';
import { discardBody } from './discard.js';
import { answerError } from './error-handler.js';
import type { Gate } from './gate.js';
import { allowOrigin, baseHeaders, dropEmptyHeaders } from './headers.js';
import { identify } from './identify.js';
import { tellIgnored } from './ignored-parameters.js';
import type { Limiter } from './limiter.js';
import type { Trust } from './network.js';
import type { EdgeOptions } from './options.js';
import { collectPaths } from './paths.js';
import { probes } from './probes.js';
import { createRefusalDelay } from './refusal-delay.js';
import { createRequestSpans } from './request-span.js';
import { isSigned, type Callers, type EdgeRules } from './route-policy.js';
import { checkSignedHead, proveUnparsed } from './signed-request.js';
import { createSites, isElsewhere, type Sites } from './sites.js';
import { stateOf, type EdgeState } from './state.js';
import { isSecure } from './transport.js';
import { turnAway, unmetRequirement } from './turn-away.js';
import { createUnsent, type HoldUnsent } from './unsent.js';

/** Parts of the server that the edge needs. */
export interface EdgeServer {
  readonly trusted: Trust;
  readonly admission: Admission;
  readonly gate: Gate;
  readonly connections: Connections;
}

/**
 * Registers the edge, which handles everything about a request except its domain logic. Registered once, before any route; routes
 * declare their policy in `config.edge`.
 */
export function edge(
  app: FastifyInstance,
  options: EdgeOptions,
  { trusted, admission, gate, connections }: EdgeServer,
): void {
  const { config, parts, keyRing, callers, limiter } = options;
  const { rateLimits, tls, publicUrl, metricsAllow } = config;
  const departure = createDeparture(app, connections);
  app.decorate('edgeMaker', {
    parts,
    keyRing,
    callers,
    limiter,
    rateLimits,
    admission,
    gate,
    delayRefusal: createRefusalDelay(),
    holdUnsent: createUnsent(),
    tlsPort: tls?.port,
    sites: createSites(config),
    departure,
  });
  app.decorateRequest('edge');
  const pathMethods = collectPaths(app);
  gate.guard(app);
  readBodies(app);
  offerCompression(app);

  const beginSpan = createRequestSpans(parts.tracer, config.tracing);
  const origins = new Set(config.allowedOrigins);
  const requireHttps = config.requireHttps || tls !== undefined;
  app.addHook('onRequest', async (request, reply) => {
    dropEmptyHeaders(request.raw);
    request.edge = stateOf(request);
    request.edge.span = beginSpan?.(request);
    const secure = isSecure(request.raw, trusted);
    reply.headers(baseHeaders(request.id, secure));
    allowOrigin(request, reply, origins);

    const { rules } = request.edge;
    const hidden = rules.visibleTo?.(request) === false || isElsewhere(request);
    const redirect = requireHttps && !secure && (hidden || rules.plainHttp !== true);
    const closed = departure.isClosing() && rules.bucket !== 'unmetered';
    if (request.is404 || hidden || redirect || closed || unmetRequirement(request.raw) !== undefined) {
      return turnAway(request, reply, { publicUrl, pathMethods }, { isDraining: departure.isClosing(), redirect });
    }

    if (rules.parametersOf !== undefined) tellIgnored(request, reply, rules.parametersOf(request));
    if (isSigned(rules.credential, request.method, request.headers)) {
      await checkSignedHead(request, reply);
    } else {
      request.edge.principal = await identify(request, reply);
      await admit(request, reply);
    }
    return undefined;
  });
  app.addHook('preValidation', proveUnparsed);
  finishResponses(app, departure);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));

  const { registry, noteRequest } = options;
  recordAccess(app, { log: parts.log, registry, noteRequest });
  probes(app, { ...options, clock: parts.clock, metricsAllow, trusted, isDraining: departure.hasBegun });
}

/** Adds what is known of a request only once it has its response. */
function finishResponses(app: FastifyInstance, departure: Departure): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete) {
      if (discardBody(request.raw)) reply.removeHeader('connection');
      else reply.header('connection', 'close');
    }
    if (departure.hasBegun()) reply.header('connection', 'close');
    request.edge.release?.();
    const { idempotency } = request.edge.context ?? {};
    if (idempotency?.replayed === true) reply.header('x-idempotent-replayed', 'true');
    done(null, payload);
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: EdgeRules;
  }
  interface FastifyRequest {
    edge: EdgeState;
    /** The unchanged bytes of the body, where there is one. */
    rawBody: Buffer | undefined;
  }
  interface FastifyInstance {
    edgeMaker: ContextMaker & {
      readonly callers: Callers;
      readonly limiter: Limiter;
      readonly rateLimits: Config['rateLimits'];
      readonly admission: Admission;
      readonly gate: Gate;
      readonly delayRefusal: ReturnType<typeof createRefusalDelay>;
      readonly holdUnsent: HoldUnsent;
      tlsPort: number | undefined;
      readonly sites: Sites;
      /** The time between the signal to stop and the end. */
      readonly departure: Departure;
    };
  }
}
