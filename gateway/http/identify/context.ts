import type { FastifyRequest } from 'fastify';
import type { Context, ContextParts, Idempotency, IdempotencyName } from '../../../shared/kernel/context.js';
import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { lazyChild } from '../../../shared/kernel/log.js';
import type { EdgeState } from '../pipeline.js';
import { pathOf } from '../route-policy.js';
import { isText } from '../body/text-body.js';

const keyForm = /^[A-Za-z0-9_-]{1,64}$/;
/** Methods on which `X-Idempotency-Key` means something (docs/contract/common.md §7.1). */
const keyedMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** Methods with which a signed request never runs twice: all that may write. */
const writingMethods: ReadonlySet<string> = new Set([...keyedMethods, 'DELETE']);

/** Returns the caller's idempotency key. @throws {ApiError} BAD_REQUEST when a header is no key, or its two names have different ones */
export function chosenName({ headers, edge: { principal } }: FastifyRequest): IdempotencyName | undefined {
  const [own, other] = [keyIn(headers, 'X-Idempotency-Key'), keyIn(headers, 'Idempotency-Key')];
  if (own !== undefined && other !== undefined && own !== other)
    refuse('BAD_REQUEST', [
      { path: 'Idempotency-Key', message: 'must equal X-Idempotency-Key: send only one of them' },
    ]);
  const key = own ?? other;
  return key === undefined ? undefined : { owner: `${principal.kind}:${principal.ownerId}`, key };
}

function keyIn(headers: FastifyRequest['headers'], path: string): string | undefined {
  const key = headers[path.toLowerCase()];
  if (key === undefined || (typeof key === 'string' && keyForm.test(key))) return key;
  const message = 'must be 1 to 64 letters, digits, hyphens or underscores';
  throw new ApiError('BAD_REQUEST', { details: [{ path, message }] });
}

/** Returns the name by which a signed request is recognized when it is sent again: its idempotency key is not signed, and could be replaced. */
function signedName({ stage, principal }: EdgeState): IdempotencyName | undefined {
  if (stage.at !== 'parsed' || stage.signature === undefined) return undefined;
  return { owner: `SIGNATURE:${principal.ownerId}`, key: sha256(stage.signature).toString('base64url') };
}

/** Returns the idempotency name of a request (docs/contract/common.md §7.2); for a DELETE, only its signature. @throws {ApiError} BAD_REQUEST without a key */
function idempotencyOf(request: FastifyRequest): Idempotency | undefined {
  if (!writingMethods.has(request.method)) return undefined;
  const chosen = keyedMethods.has(request.method) ? chosenName(request) : undefined;
  const signed = signedName(request.edge);
  const name = chosen ?? signed;
  if (name === undefined) return undefined;
  return {
    ...name,
    ...(chosen === undefined || signed === undefined ? {} : { also: signed }),
    operation: `${request.method} ${pathOf(request)}`,
    digest: digestOf(request),
    replayed: false,
  };
}

/** SHA-256 of the request's input: the query counts beside a text body, and the headers that hold arguments. */
function digestOf(request: FastifyRequest): Buffer {
  const { url, edge, headers } = request;
  const body = (edge.stage.at === 'parsed' ? edge.stage.digest : undefined) ?? sha256('');
  const beside = [
    ...(isText(request) ? [url] : []),
    ...(edge.rules.bound ?? []).flatMap((name) =>
      headers[name] === undefined ? [] : [`${name}: ${String(headers[name])}`],
    ),
  ];
  return beside.length === 0 ? body : sha256([...beside, body.toString('base64url')].join('\n'));
}

export interface ContextMaker {
  readonly parts: Pick<ContextParts, 'clock' | 'log' | 'manager' | 'bus' | 'audit' | 'published' | 'tracer'>;
  readonly keyRing: KeyRing;
}

/** Returns the context of a request; it is created when an interface first asks for it. */
export function contextOf(request: FastifyRequest): Context {
  const { edge } = request;
  edge.context ??= makeContext(request);
  return edge.context;
}

function makeContext(request: FastifyRequest): Context {
  const { parts } = request.server.edgeMaker;
  const { clock, manager, bus, audit, published } = parts;
  const { principal, rules, span } = request.edge;
  const idempotency = rules.idempotent === true ? idempotencyOf(request) : undefined;
  return {
    clock,
    manager: span === undefined ? manager : manager.under(span),
    published,
    bus,
    audit,
    requestId: request.id,
    principal,
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    loaders: new Map(),
    idempotency,
    span,
    log: lazyChild(parts.log, { requestId: request.id, ...(span === undefined ? {} : { traceId: span.traceId }) }),
  };
}
