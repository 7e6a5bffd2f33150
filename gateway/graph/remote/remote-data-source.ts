import { print, type DocumentNode, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import { Agent, request, type Dispatcher } from 'undici';
import type { Context } from '../../../shared/kernel/context.js';
import type { GraphResult, GraphRequest } from '../../../shared/graphql/executor.js';
import { failure } from '../../../shared/graphql/mask.js';
import type { SubgraphDataSource } from '../data-source.js';
import { type CallTokens, createCallTokens } from './call-token.js';
import { resumedStream, type Upstream } from './resumed-stream.js';
import {
  eventStream,
  heartbeatMs,
  lastEventIdHeader,
  readResult,
  readEvents,
  replayedHeader,
  restartsHeader,
  subjectHeader,
} from './wire-format.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { codeOf } from '../../../shared/kernel/thrown.js';
import { outcomeUnknown } from '../../../shared/kernel/outcome-unknown.js';
import { Supergraph } from '@apollo/federation-internals';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { KeyRing } from '../../../shared/security/crypto.js';

export interface RemoteDataSource extends SubgraphDataSource {
  close(): Promise<void>;
}

export interface RemoteDataSourceOptions {
  readonly name: string;
  /** Address of its `/graphql`. */
  readonly url: string;
  readonly schema: GraphQLSchema;
  readonly tokens: CallTokens;
  /** For tests: for how long a subgraph is awaited that is lost under a subscription, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Agent;
  readonly signal?: AbortSignal;
}

interface BeginOptions {
  /** The id after which the stream begins; empty where its document says that. */
  readonly lastId: string;
  readonly signal: AbortSignal;
}

/** Longer than a statement of the subgraph may take. */
const responseTimeoutMs = 35_000;

/** Data source of a subgraph over HTTP. Queries and mutations are never repeated: a lost one may have run. A lost subscription is resumed. */
export function remoteDataSource({ name, url, schema, tokens, patienceMs }: RemoteDataSourceOptions): RemoteDataSource {
  const calls = new Agent({ connections: 64, headersTimeout: responseTimeoutMs, bodyTimeout: responseTimeoutMs });
  // A subscription keeps its connection; one that does not even send a heartbeat is lost.
  const streams = new Agent({ headersTimeout: responseTimeoutMs, bodyTimeout: 3 * heartbeatMs });
  const texts = new WeakMap<DocumentNode, string>();

  const textOf = (document: DocumentNode): string => {
    const text = texts.get(document) ?? print(document);
    texts.set(document, text);
    return text;
  };

  const send = senderOf({ name, url, tokens }, textOf);
  const openStream = async (given: GraphRequest, context: Context, begin: BeginOptions) =>
    upstreamOf(
      await send(given, context, {
        headers: { accept: `${eventStream}, application/json`, [lastEventIdHeader]: begin.lastId },
        dispatcher: streams,
        signal: begin.signal,
      }),
    );

  return {
    schema,
    remote: true,
    execute: async (given, context) => {
      try {
        const own = { accept: 'application/json' };
        const { headers, body } = await send(given, context, { headers: own, dispatcher: calls });
        if (headers[replayedHeader] === 'true' && context.idempotency !== undefined)
          context.idempotency.replayed = true;
        return readResult(await body.text());
      } catch (error) {
        return failure(lostCall(error, given, context), context);
      }
    },
    subscribe: async (given, context) => {
      const abort = new AbortController();
      try {
        const { signal } = abort;
        const firstId = context.resumeAfter ?? '';
        const first = await openStream(given, context, { lastId: firstId, signal });
        if (!('frames' in first)) return first;
        const open = (lastId: string) => openStream(given, context, { lastId, signal });
        return resumedStream(first, { open, firstId, abort, context, patienceMs });
      } catch (error) {
        return failure(unavailable(error), context);
      }
    },
    close: async () => {
      await Promise.all([calls.close(), streams.destroy()]);
    },
  };
}

/** Sends an operation to a subgraph. @throws {UnexpectedStatus} when it responds with another status than 200 */
type Send = (given: GraphRequest, context: Context, options: SendOptions) => Promise<Dispatcher.ResponseData>;

function senderOf(
  { name, url, tokens }: Pick<RemoteDataSourceOptions, 'name' | 'url' | 'tokens'>,
  textOf: (document: DocumentNode) => string,
): Send {
  return async ({ document, variables }, context, { dispatcher, signal, ...more }) => {
    const body = JSON.stringify({ query: textOf(document), variables });
    const authorization = `Bearer ${tokens.sign(name, body, context)}`;
    const requestId = context.requestId;
    const own = { authorization, 'content-type': 'application/json', 'x-request-id': requestId, ...more.headers };
    const headers = { ...own, ...context.span?.headers };
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.statusCode === 200) return response;
    const { statusCode } = response;
    // The status says enough where the body is lost.
    const text = await response.body.text().catch(() => '');
    const message = `The subgraph ${name} responded with ${statusCode}: ${text.slice(0, 500)}`;
    throw new UnexpectedStatus(message, statusCode, secondsOf(response.headers['retry-after']));
  };
}

/** Returns the seconds of a Retry-After; undefined where there is none, or a date, which subgraphs do not send. */
function secondsOf(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

async function upstreamOf({ headers, body }: Dispatcher.ResponseData): Promise<Upstream | GraphResult> {
  if (headers['content-type'] !== eventStream) return readResult(await body.text());
  const subject = headers[subjectHeader]?.toString();
  const beginsAfter = headers[lastEventIdHeader]?.toString();
  return { frames: readEvents(body), beginsAfter, subject, restarts: headers[restartsHeader] === 'true' };
}

/** A response other than 200. A subgraph reports the errors of what it has executed with 200, so it has executed nothing where it refuses. */
class UnexpectedStatus extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** In seconds; undefined where the response does not say when to try again. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }

  /** Whether nothing was executed. A 503 without Retry-After may be of a proxy that has lost the subgraph meanwhile. */
  get isRefusal(): boolean {
    return (this.status >= 400 && this.status < 500) || (this.status === 503 && this.retryAfterSeconds !== undefined);
  }
}

const unconnected = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the error for a call without a result. A mutation that was sent and not refused may have been executed: the caller must learn that. */
export function lostCall(cause: unknown, { document }: GraphRequest, { idempotency }: Context): ApiError {
  const changes = getOperationAST(document)?.operation === OperationTypeNode.MUTATION;
  return changes && mayBeExecuted(cause)
    ? outcomeUnknown('another process of the service', idempotency, cause)
    : unavailable(cause);
}

/** Returns the error for a call that has certainly changed nothing. */
function unavailable(cause: unknown): ApiError {
  const { retryAfterSeconds = 1 } = cause instanceof UnexpectedStatus ? cause : {};
  return new ApiError('UNAVAILABLE', { retryAfterSeconds, cause });
}

function mayBeExecuted(cause: unknown): boolean {
  if (cause instanceof UnexpectedStatus) return !cause.isRefusal;
  // A host can become unreachable while its response is awaited, too.
  return !unconnected.has(codeOf(cause) ?? '') || isOfOpenConnection(cause);
}

function isOfOpenConnection(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause && (cause.syscall === 'read' || cause.syscall === 'write');
}

/** Data sources of a gateway whose subgraphs all run in other processes, by the schemas in the supergraph. @throws when `urls` lacks one of them */
export function remoteDataSources(
  supergraphSdl: string,
  urls: Readonly<Record<string, string>>,
  { keyRing, clock }: { readonly keyRing: KeyRing; readonly clock: Clock },
): Record<string, RemoteDataSource> {
  const tokens = createCallTokens(keyRing, clock);
  return Object.fromEntries(
    Object.entries(subgraphSchemas(supergraphSdl)).map(([name, schema]) => {
      const url = urls[name];
      if (url === undefined) throw new Error(`SUBGRAPH_URLS lacks the subgraph ${name}`);
      return [name, remoteDataSource({ name, url, schema, tokens })];
    }),
  );
}

function subgraphSchemas(supergraphSdl: string): Record<string, GraphQLSchema> {
  const subgraphs = Supergraph.build(supergraphSdl, { validateSupergraph: false }).subgraphs();
  return Object.fromEntries(subgraphs.values().map(({ name, schema }) => [name, schema.toGraphQLJSSchema()]));
}
