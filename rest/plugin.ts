import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gravest } from '../gateway/graph/graph-error.js';
import type { Graph } from '../gateway/graph/graph.js';
import { isText, textProfileOf } from '../gateway/http/body/text-body.js';
import { contextOf } from '../gateway/http/identify/context.js';
import { identifyAgain } from '../gateway/http/identify/identify.js';
import { payForResponse } from '../gateway/http/limits/charge.js';
import { networkOf } from '../shared/kernel/network.js';
import { prefersCsv } from '../gateway/http/reply/accept.js';
import { sendReading, varyBy } from '../gateway/http/reply/compression.js';
import { hasTag, sharedCaching, tagOf } from '../gateway/http/reply/public-response.js';
import { serveFile } from '../gateway/http/reply/serve-file.js';
import { bucketOf } from '../gateway/http/route-policy.js';
import { demand } from '../shared/graphql/access.js';
import { once } from '../shared/graphql/idempotency.js';
import { failure } from '../shared/graphql/mask.js';
import type { Context, Principal } from '../shared/kernel/context.js';
import { ApiError } from '../shared/kernel/errors.js';
import { isSeparator, type Separator } from '../shared/kernel/format/csv-line.js';
import { isRecord } from '../shared/kernel/is-record.js';
import type { KeyRing } from '../shared/security/crypto.js';
import { requestCheck, type CheckRequest, type Sent } from './check-request.js';
import { csvFiles, type OpenCsvFile, type ReadPage } from './csv-files.js';
import type { DocumentedEvent } from './openapi/callbacks.js';
import { openApi } from './openapi/document.js';
import { loadOperations, type OperationTexts } from './operations.js';
import {
  headerParameters,
  isPublished,
  isWrite,
  largestText,
  queryParameters,
  rowsOf,
  separatorParameters,
  textRows,
  type Route,
  type Row,
} from './route.js';
import { routes as table } from './routes.js';
import { sofaRoutes, type RestResponse, type RunRoute } from './sofa.js';

export interface RestOptions {
  readonly graph: Graph;
  readonly publicUrl?: string;
  readonly events?: readonly DocumentedEvent[];
  readonly routes?: readonly Route[];
  readonly texts?: OperationTexts;
  /** Whether this is the sandbox; not by default. */
  readonly sandbox?: boolean;
}

/** Registers every path of the table and `/openapi.json`. @returns the OpenAPI text @throws {Error} when table and graph do not fit together */
export function restPlugin(
  app: FastifyInstance,
  { graph, publicUrl, events = [], routes = table, texts, sandbox = false }: RestOptions,
): string {
  const operations = loadOperations(graph.apiSchema, texts);
  const runnerOf = sofaRoutes(graph, operations, rowsOf(routes));
  const openFile = csvFiles();
  const inTurn = longReads();
  const callOf = (row: Row): Call => ({ check: requestCheck(operations, row, { sandbox }), run: runnerOf(row) });
  for (const route of routes) {
    const texts = new Map(textRows(route).map((row) => [row.profile, callOf(row)]));
    addRoute(app, route, { json: callOf(route), texts, openFile, inTurn });
  }
  const openApiText = JSON.stringify(openApi(operations, routes, events, publicUrl));
  serveFile(app, '/openapi.json', { type: 'application/json; charset=utf-8', read: () => Buffer.from(openApiText) });
  return openApiText;
}

/** One way into an operation: the request is checked, and then the operation runs. */
interface Call {
  readonly check: CheckRequest;
  readonly run: RunRoute;
}

interface Calls {
  readonly json: Call;
  readonly texts: ReadonlyMap<string | undefined, Call>;
  readonly openFile: OpenCsvFile;
  readonly inTurn: ReadInTurn;
}

function addRoute(app: FastifyInstance, route: Route, { json, texts, openFile, inTurn }: Calls): void {
  const { method, path: url, credential, bucket, bodyLimit, textBodies = [], csv, readsWhole = false } = route;
  if (csv !== undefined && credential === 'signature')
    throw new Error(`${url}: a signed request cannot return a CSV file`);
  const demandAccess = (principal: Principal) => {
    demandOf(route, principal);
  };
  app.route<{ Params: Record<string, string> }>({
    method,
    url,
    ...(textBodies.length > 0 ? { bodyLimit: largestText } : bodyLimit === undefined ? {} : { bodyLimit }),
    config: {
      edge: {
        credential,
        bucket,
        idempotent: isWrite(route),
        bound: [...headerParameters(route).values()],
        parametersOf: parametersOf(route),
      },
      textProfiles: textBodies.map(({ profile }) => profile),
      exactNumbers: true,
      ...(bodyLimit === undefined ? {} : { jsonLimit: bodyLimit }),
    },
    onRequest: (request, _reply, done) => {
      demandAccess(request.edge.principal);
      done();
    },
    handler: async (request, reply) => {
      const { check, run } = texts.get(textProfileOf(request)) ?? json;
      const context = contextOf(request);
      const values = await keptIfRefused(context, app.edgeMaker.keyRing, () => check(sentIn(request)));
      if (csv !== undefined) {
        varyBy(reply, 'accept');
        if (prefersCsv(request.headers.accept)) {
          const separator = separatorOf(request.query);
          const readPage = pageReader(request, demandAccess);
          const file = await openFile(context, { form: csv, separator, values, run, readPage, gone: goneOf(reply) });
          reply.header('content-type', 'text/csv; charset=utf-8; header=present');
          reply.header('content-disposition', `attachment; filename="${csv.fileName}"`);
          // HEAD has the status and the headers of the file, and of its content only the first page is read.
          if (request.method === 'HEAD') file.destroy();
          return reply.send(file);
        }
      }
      const read = () => run(values, context);
      const response = await (readsWhole ? inTurn(context.principal.ownerId, read) : read());
      if (readsWhole) await payForResponse(request, reply, response.json.length);
      reply.code(response.status);
      if (response.status === 204) return reply.send();
      if (route.file !== undefined) return sendFile(reply, response);
      reply.header('content-type', 'application/json; charset=utf-8');
      if (isPublished(route)) return sendPublished(request, reply, response);
      return method === 'GET' ? sendReading(reply, response.json) : reply.send(response.json);
    },
  });
}

/** Requires what a route asks of a credential, before the body is read. @throws {ApiError} FORBIDDEN */
function demandOf({ credential, scope, byProgram }: Route, principal: Principal): void {
  if (scope !== undefined) demand({ level: credential === 'trader' ? 'trader' : 'developer', scope }, { principal });
  if (byProgram !== undefined && principal.browser === undefined)
    throw new ApiError('FORBIDDEN', {
      message: `This path takes the session of a browser alone. A program sends a signed ${byProgram}`,
    });
}

function sentIn({ params, query, body, headers, url }: FastifyRequest<{ Params: Record<string, string> }>): Sent {
  return { path: params, query, unreadable: unreadableIn(url), body, headers };
}

const fileForm = z.object({ fileName: z.string(), mediaType: z.string(), content: z.string() });

function sendFile(reply: FastifyReply, { json }: RestResponse): FastifyReply {
  const { fileName, mediaType, content } = fileForm.parse(JSON.parse(String(json)));
  reply.header('content-type', mediaType).header('content-disposition', `attachment; filename="${fileName}"`);
  return sendReading(reply, Buffer.from(content, 'base64'));
}

/** Sends a response that is the same for everyone. A caller who has it already gets 304. */
function sendPublished(request: FastifyRequest, reply: FastifyReply, { json, revision }: RestResponse): FastifyReply {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  const tag = tagOf(bytes);
  // Weak: a compressed response has the same tag.
  reply.header('etag', `W/"${tag}"`).header('cache-control', sharedCaching);
  if (revision !== undefined) reply.header('surrogate-key', revision);
  if (!hasTag(request, tag)) return sendReading(reply, bytes);
  varyBy(reply, 'accept-encoding');
  return reply.code(304).send();
}

/** Returns the function that finds the query parameters that a route reads: a text body goes with other ones than a JSON body. */
function parametersOf(route: Route): (request: FastifyRequest) => ReadonlySet<string> {
  const texts = textRows(route);
  const known = queryParameters(route);
  if (texts.length === 0) return () => known;
  const besideText = new Set(texts.flatMap((row) => [...queryParameters(row)]));
  return (request) => (isText(request) ? besideText : known);
}

function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Returns the cell separator of a file: `;` where the checked query gives no other. */
function separatorOf(query: unknown): Separator {
  const given = isRecord(query) ? separatorParameters.map((name) => query[name]) : [];
  return given.find(isSeparator) ?? ';';
}

/** Checks a request. A refusal is stored like any other response: it is kept under the idempotency key, and the key is bound to it. @throws {ApiError} */
async function keptIfRefused<T>(context: Context, keyRing: KeyRing, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const { idempotency } = context;
    if (idempotency === undefined) throw error;
    const { errors = [] } = await once(context, idempotency, keyRing, () => Promise.resolve(failure(error, context)));
    throw gravest(errors);
  }
}

/** Returns the names of the query parameters in the address of a request that are not percent-encoded UTF-8: their values cannot be read. */
function unreadableIn(url: string): ReadonlySet<string> {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return new Set();
  const unreadable = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => decoded(pair) === undefined);
  return new Set(unreadable.map(nameOf));
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return decoded(name) ?? name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Maximum number of whole batches that are read for one caller at once, and of further ones that wait for their turn. */
const maxReading = 2;
const maxWaiting = 32;
const retryAfterSeconds = 5;

/** Runs a read in its turn among the reads of a caller. @throws {ApiError} TOO_MANY_REQUESTS when too many wait already */
type ReadInTurn = <T>(ownerId: string, read: () => Promise<T>) => Promise<T>;

interface Reads {
  reading: number;
  readonly waiting: (() => void)[];
}

/** Returns the function that runs reads of much data: two at a time for each caller, so that no caller's reads hold up the others. */
function longReads(): ReadInTurn {
  const callers = new Map<string, Reads>();
  return async (ownerId, read) => {
    const reads = callers.get(ownerId) ?? { reading: 0, waiting: [] };
    callers.set(ownerId, reads);
    if (reads.reading < maxReading) reads.reading += 1;
    else await turn(reads);
    try {
      return await read();
    } finally {
      const next = reads.waiting.shift();
      // The place goes on to the next one.
      if (next !== undefined) next();
      else if ((reads.reading -= 1) === 0) callers.delete(ownerId);
    }
  };
}

function turn({ waiting }: Reads): Promise<void> {
  if (waiting.length >= maxWaiting) {
    const message = `Too Many Requests: at most ${maxReading} whole batches are read at once, and ${maxWaiting} wait; wait ${retryAfterSeconds} seconds`;
    throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

/** Share of a window's points that files leave to the other requests of their caller. */
const shareOfOthers = 0.5;

/** Each further page of a file costs points, identifies its caller again and takes a place; without points it waits. @param demand refuses who may not read */
function pageReader(request: FastifyRequest, demand: (principal: Principal) => void): ReadPage {
  const { admission } = request.server.edgeMaker;
  return async (read, signal) => {
    await pay(request, signal);
    demand(await identifyAgain(request));
    const leave = await admission.place(networkOf(request.ip));
    try {
      return await read();
    } finally {
      leave();
    }
  };
}

async function pay({ edge, ip, server }: FastifyRequest, signal: AbortSignal): Promise<void> {
  const { limiter, rateLimits } = server.edgeMaker;
  const bucket = bucketOf(edge.rules.bucket, rateLimits, edge.principal, ip);
  for (;;) {
    const { remaining, waitSeconds } = await limiter.take(bucket, 0);
    if (remaining > bucket.limit * shareOfOthers && (await limiter.take(bucket)).allowed) return;
    await delay(waitSeconds * 1_000, undefined, { signal });
  }
}
