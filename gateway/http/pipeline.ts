import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Context, type Principal } from '../../shared/kernel/context.js';
import type { ErrorCode } from '../../shared/registry.js';
import { networkOf } from '../../shared/kernel/network.js';
import type { Span } from '../../shared/kernel/tracing/span.js';
import { bodyLimitOf, mediaOf, parseBody, type Media } from './body/body.js';
import { largeBytes, type Release } from './body/receive.js';
import { authenticate } from './identify/identify.js';
import { proveClaim, readClaim, type Claim } from './identify/signature.js';
import { chargeCaller, type PayUpTo } from './limits/charge.js';
import type { Standing } from './limits/limiter.js';
import { isSigned, publicRules, type EdgeRules } from './route-policy.js';

/** Lets a request in: identify → admit. A route's own checks of the caller come next, before its body. @throws {ApiError} 401, 429 */
export async function letIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { edge } = request;
  edge.stage = await identify(request, reply);
  edge.stage = await admit(request, reply, edge.stage);
}

/** Takes the body of a request: receive → prove → parse. @throws {ApiError} 400, 401, 413, 415, 429, 503 */
export async function takeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { edge } = request;
  if (edge.stage.at !== 'admitted') throw new Error('The request was not admitted');
  edge.stage = await receive(request, reply, edge.stage);
  edge.stage = await prove(request, reply, edge.stage);
  edge.stage = await parse(request, edge.stage);
}

interface Arrived {
  readonly at: 'arrived';
  readonly principal: Principal;
}

/** The credential was read. A signature is a claim until the whole body is there to prove it: the caller is anonymous until then. */
type Identified = { readonly at: 'identified'; readonly principal: Principal } & (
  { readonly claim: Claim } | { readonly claim: undefined }
);

/** A caller was charged. A claim is charged when it is proved; if it is false, the network that sent it is. */
type Admitted = { readonly at: 'admitted'; readonly principal: Principal } & (
  { readonly claim: Claim } | { readonly claim: undefined; readonly payUpTo: PayUpTo }
);

/** The bytes of the body are there, if it has one. */
interface Received {
  readonly at: 'received';
  readonly principal: Principal;
  readonly admitted: Admitted;
  readonly body: Body | undefined;
}

interface Body {
  readonly media: Media;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, where an idempotency key may be bound to them. */
  readonly digest: Buffer | undefined;
  readonly release: Release;
}

interface Proved {
  readonly at: 'proved';
  readonly principal: Principal;
  readonly signature: Buffer | undefined;
  readonly payUpTo: PayUpTo;
  readonly body: Body | undefined;
}

/** `request.body` is the value that the route receives. */
interface Parsed {
  readonly at: 'parsed';
  readonly principal: Principal;
  readonly signature: Buffer | undefined;
  readonly digest: Buffer | undefined;
}

export class EdgeState {
  readonly rules: EdgeRules;
  /** The route's template, as metrics name it; `unmatched` when there is none. */
  readonly route: string;
  stage: Arrived | Identified | Admitted | Received | Proved | Parsed;
  context: Context | undefined;
  span: Span | undefined;
  /** State of its own bucket after it was last charged; undefined before that. */
  standing: Standing | undefined;
  charged = 0;
  /** Code of the error in the response, if any; the first one of a GraphQL response. */
  errorCode: ErrorCode | undefined;
  readonly held: Release[] = [];

  constructor({ routeOptions: { config }, is404, ip }: FastifyRequest) {
    this.rules = config.edge ?? publicRules;
    this.route = is404 ? 'unmatched' : config.url;
    this.stage = { at: 'arrived', principal: anonymous(networkOf(ip)) };
  }

  get principal(): Principal {
    return this.stage.principal;
  }
}

async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Identified> {
  const { callers, parts } = request.server.edgeMaker;
  const { rules, principal } = request.edge;
  if (!isSigned(rules.credential, request.method, request.headers))
    return { at: 'identified', principal: await authenticate(request, reply), claim: undefined };
  // Refuses an unknown client before the body is read.
  return { at: 'identified', principal, claim: await readClaim(request, callers.findClient, parts.clock) };
}

async function admit(request: FastifyRequest, reply: FastifyReply, before: Identified): Promise<Admitted> {
  const { principal, claim } = before;
  if (claim !== undefined) return { at: 'admitted', principal, claim };
  const announced = Number(request.headers['content-length'] ?? 0);
  return { at: 'admitted', principal, claim, payUpTo: await chargeCaller(request, reply, principal, announced) };
}

async function receive(request: FastifyRequest, reply: FastifyReply, admitted: Admitted): Promise<Received> {
  const { principal, claim } = admitted;
  const media = mediaOf(request, reply);
  if (media === undefined) return { at: 'received', principal, admitted, body: undefined };
  const { bodyBudget, edgeMaker } = request.server;
  const digest = request.edge.rules.idempotent === true ? createHash('sha256') : undefined;
  const hashes = [claim?.hash, digest].filter((hash) => hash !== undefined);
  const { bytes, release } = await edgeMaker.gate.outside(request.raw, async () => {
    const received = await bodyBudget.receive(request, { limit: bodyLimitOf(request, media), hashes });
    request.edge.held.push(received.release);
    return received;
  });
  return { at: 'received', principal, admitted, body: { media, bytes, digest: digest?.digest(), release } };
}

async function prove(request: FastifyRequest, reply: FastifyReply, before: Received): Promise<Proved> {
  const { admitted, body } = before;
  const bytes = body?.bytes.length ?? 0;
  if (admitted.claim === undefined) {
    const { principal, payUpTo } = admitted;
    // Its length may not have been announced.
    await payUpTo(bytes);
    return { at: 'proved', principal, signature: undefined, payUpTo, body };
  }
  const principal = proveClaim(admitted.claim);
  // A refusal below is this caller's.
  request.edge.stage = { ...before, principal };
  const payUpTo = await chargeCaller(request, reply, principal, bytes);
  return { at: 'proved', principal, signature: admitted.claim.signature, payUpTo, body };
}

async function parse(request: FastifyRequest, before: Proved): Promise<Parsed> {
  const { principal, signature, payUpTo, body } = before;
  if (body !== undefined) {
    const { bodyBudget } = request.server;
    const { rules, held } = request.edge;
    const { bytes, digest, release } = body;
    release();
    if (bytes.length > largeBytes && rules.trustedBodies !== true)
      held.push(bodyBudget.work(principal.ownerId, bytes.length));
    const unpacking = bodyBudget.unpack(principal.ownerId);
    held.push(unpacking.release);
    request.body = await parseBody(request, body, { payUpTo, unpacking });
    // The value takes enough memory.
    request.rawBody = digest === undefined ? bytes : undefined;
  }
  return { at: 'parsed', principal, signature, digest: body?.digest };
}
