import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../shared/kernel/config.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { strayBucket } from './identify/identify.js';
import { charge } from './limits/charge.js';
import { answerPreflight, isPreflight } from './reply/headers.js';
import { pathOf, type EdgeRules } from './route-policy.js';
import { secureAddress } from './transport.js';

interface TurnAwayParts {
  readonly publicUrl: string;
  readonly pathMethods: (request: FastifyRequest) => PathMethods;
}

interface Stray {
  readonly isDraining: boolean;
  /** Whether the request came by plain HTTP, and has to be sent again by HTTPS. */
  readonly redirect: boolean;
}

/** Redirects to HTTPS or to the public site, or responds to a preflight. @throws {ApiError} in any other case */
export async function turnAway(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, pathMethods }: TurnAwayParts,
  { isDraining, redirect }: Stray,
): Promise<FastifyReply> {
  await charge(request, reply, await strayBucket(request, redirect));
  if (isDraining) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 1 });
  const unmet = unmetRequirement(request.raw);
  if (unmet !== undefined) throw unmet;
  if (redirect) {
    const { tlsPort, sites } = request.server.edgeMaker;
    return reply.redirect(secureAddress(sites.urlOf(request.hostname), tlsPort, request.host, request.url), 301);
  }
  if (isElsewhere(request)) return leaveOperators(request, reply, publicUrl);
  const known = pathMethods(request);
  if (known.methods.length === 0) throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
  if (isPreflight(request)) return answerPreflight(reply, known.methods);
  reply.header('allow', known.methods.join(', '));
  throw methodRefused(request.method, known);
}

/** Sends a reader on: from the start of the operators' site to the panel, and from any other page to the public site. Nothing else exists there. */
function leaveOperators(request: FastifyRequest, reply: FastifyReply, publicUrl: string): FastifyReply {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
  return reply.redirect(request.url === '/' ? '/painel' : publicUrl + request.url, 302);
}

/** A name or an address, with or without a port: nothing that proxies could read in two ways. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~%-]*)(:\d{0,5})?$/i;

/** BAD_REQUEST without one valid `Host` (RFC 9112 §3.2), EXPECTATION_FAILED for other than `100-continue` (RFC 9110 §10.1.1): Node sends no body. */
export function unmetRequirement(request: IncomingMessage): ApiError | undefined {
  const wrong = wrongHost(request);
  if (wrong !== undefined) return new ApiError('BAD_REQUEST', { details: [{ path: 'Host', message: wrong }] });
  const { expect } = request.headers;
  if (request.httpVersion !== '1.1' || expect === undefined || /^100-continue$/i.test(expect)) return undefined;
  return new ApiError('EXPECTATION_FAILED');
}

function wrongHost({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'is missing' : undefined;
  if (!hostForm.test(host)) return 'must be a name or an address, with or without a port';
  // Node keeps the first of several.
  const lines = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
  return lines.length > 1 ? `must be given once, not ${lines.length} times` : undefined;
}

interface Pattern {
  /** The pattern as it was registered: `/a/:b`. */
  readonly url: string;
  readonly form: RegExp;
  readonly methods: Set<string>;
  readonly visibleTo: EdgeRules['visibleTo'];
}

interface PathMethods {
  /** In order; empty where the path does not exist, or is hidden from the caller. */
  readonly methods: readonly string[];
  /** Paths below it by which it is changed, such as `POST /a/{b}/submit`. */
  readonly acts: readonly string[];
}

export function collectPaths(app: FastifyInstance): (request: FastifyRequest) => PathMethods {
  const patterns = new Map<string, Pattern>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = patterns.get(url) ?? {
      url,
      form: formOf(url),
      methods: new Set<string>(),
      visibleTo: config?.edge?.visibleTo,
    };
    for (const name of typeof method === 'string' ? [method] : method) known.methods.add(name);
    patterns.set(url, known);
  });
  return (request) => {
    const path = pathOf(request);
    const visible = [...patterns.values()].filter(({ visibleTo }) => visibleTo?.(request) !== false);
    const found = visible.filter(({ form }) => form.test(path));
    const acts = visible.filter(
      ({ url, methods }) => methods.has('POST') && found.some((one) => isActOf(url, one.url)),
    );
    return {
      methods: [...new Set(found.flatMap(({ methods }) => [...methods]))].sort(),
      acts: acts.map(({ url }) => `POST ${url.replace(/:(\w+)/g, '{$1}')}`).sort(),
    };
  };
}

/** Returns the error for a method that a path does not have. For PATCH and PUT it names the paths that change the resource. */
function methodRefused(method: string, { methods, acts }: PathMethods): ApiError {
  if (method !== 'PATCH' && method !== 'PUT') return new ApiError('METHOD_NOT_ALLOWED');
  const way = acts.length === 0 ? '' : `: its resource is changed by ${acts.join(', ')}`;
  const message = `${method} is not a method of this path, which has ${methods.join(', ')}${way}`;
  return new ApiError('METHOD_NOT_ALLOWED', { message });
}

/** Whether a path is another one followed by a word: `/a/:b/submit` for `/a/:b`. */
function isActOf(url: string, resource: string): boolean {
  return resource.includes(':') && url.startsWith(`${resource}/`) && /^[a-z-]+$/.test(url.slice(resource.length + 1));
}

/** Returns the regular expression for the addresses that a route pattern (`/a/:b`, `/a/*`) matches. */
function formOf(pattern: string): RegExp {
  const parts = pattern.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** The sites of this deployment: the public one and, with `OPERATOR_URL`, the operators' site, each with a host name of its own. */
export interface Sites {
  /** Whether a host name belongs to the operators' site; undefined without `OPERATOR_URL`. */
  readonly isOperators: (hostname: string) => boolean | undefined;
  /** Returns the address of the site with a host name: the operators' site, or else the public one. */
  readonly urlOf: (hostname: string) => string;
  readonly originOf: (hostname: string) => string;
}

export function createSites({ publicUrl, operatorUrl }: Pick<Config, 'publicUrl' | 'operatorUrl'>): Sites {
  const name = operatorUrl === undefined ? undefined : new URL(operatorUrl).hostname;
  const isOperators = (hostname: string) => (name === undefined ? undefined : hostname.toLowerCase() === name);
  const urlOf = (hostname: string) => (isOperators(hostname) === true ? (operatorUrl ?? publicUrl) : publicUrl);
  return { isOperators, urlOf, originOf: (hostname) => new URL(urlOf(hostname)).origin };
}

/** Paths of the operators' site: the panel with its scripts and theme, the log-in, the page that shows an operator a key, the graph, and the probes. */
const operatorPaths =
  /^\/(?:(?:en\/)?(?:painel|chave-de-operador)|assets|theme(?:\.css)?|web\/session|graphql|healthz|readyz|metrics)(?:[/?]|$)/;

/** Whether a request asks the operators' site for something that only the public one has. */
export function isElsewhere({ hostname, url, server }: Pick<FastifyRequest, 'hostname' | 'server' | 'url'>): boolean {
  return server.edgeMaker.sites.isOperators(hostname) === true && !operatorPaths.test(url);
}
