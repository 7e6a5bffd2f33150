import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type FormattedExecutionResult } from 'graphql';
import { isErrorCode, type ErrorCode } from '../../shared/registry.js';
import type { ApiError } from '../../shared/kernel/errors.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { correctCharge, spendMore } from '../http/limits/charge.js';
import { sendReading } from '../http/reply/compression.js';
import { contextOf } from '../http/identify/context.js';
import type { Graph } from '../graph/graph.js';
import { apolloRefusal, formattedResult, headOf, refusals, runPaid, type Caller } from './apollo.js';
import { asksForCost, costBudgetOf, pay, type Admitted } from '../graph/limits/cost-budget.js';
import {
  mayBePublic,
  namesDocument,
  sendPublic,
  withoutCaller,
  payForLength,
  refusalOfLength,
} from './public-reads.js';
import { searchOf } from './request-parts.js';
import { safelisted, type Safelist } from './safelist.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { Operations } from './operations.js';

/** Responds to any request, valid or not: Apollo Server reads it, and writes the response. */
export async function respondByApollo(
  apollo: ApolloServer<Caller>,
  safelist: Safelist | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { body, search } =
    safelist === undefined ? { body: request.body, search: searchOf(request) } : safelisted(request, safelist);
  const ran = { query: false, public: false };
  const onQuery = (isPublic: boolean) => {
    ran.query = true;
    ran.public = isPublic;
  };
  const result = await apollo.executeHTTPGraphQLRequest({
    // The response to HEAD is that to GET, without its body.
    httpGraphQLRequest: {
      method: request.method === 'HEAD' ? 'GET' : request.method,
      headers: headersOf(request),
      body,
      search,
    },
    context: () => {
      const caller = apolloCaller(request, reply);
      const publicContext = mayBePublic(request) ? withoutCaller(caller.context) : undefined;
      return Promise.resolve({ ...caller, publicContext, onQuery });
    },
  });
  if (result.body.kind !== 'complete') throw new Error('Apollo Server returned an incremental response');
  const { status = 200, headers } = result;
  const { string: text } = result.body;
  for (const [name, value] of headers) reply.header(name, value);
  reply.code(status);
  if (text.startsWith('{"errors":')) request.edge.errorCode = codeIn(text);
  if (status >= 400 || text.startsWith(unknownHash)) return reply.send(withRequestId(text, request.id));
  const refusal = ran.query ? await refusalOfLength(request, reply, text) : undefined;
  if (refusal !== undefined) return sendErrors(refusal, request, reply);
  if (ran.public) return sendPublic(request, reply, Buffer.from(text));
  await payForLength(request, reply, text);
  return ran.query ? sendReading(reply, text) : sendWritten(reply, text);
}

/** Responds with a run of the fast path: with the same bytes as Apollo Server would. */
export async function respondFast(
  graph: Graph,
  run: FastPathRun,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const result = await runAdmitted(graph, run, request, reply);
  noteErrors(request, result);
  return sendResult(run, result, request, reply);
}

function noteErrors(request: FastifyRequest, { errors }: GraphResult): void {
  const code = errors?.[0]?.extensions['code'];
  if (typeof code === 'string' && isErrorCode(code)) request.edge.errorCode = code;
}

/** Content type of responses with `application/json`, as Apollo Server writes it. */
const jsonType = 'application/json; charset=utf-8';

async function sendResult(
  { admitted }: FastPathRun,
  result: GraphResult,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, status = 200 } = headOf(result);
  for (const [name, value] of headers) reply.header(name, value);
  reply.code(status).header('content-type', jsonType);
  const text = JSON.stringify(formattedResult(result));
  if (status >= 400) return reply.send(text);
  const reads = admitted.prepared.operation.operation === OperationTypeNode.QUERY;
  const refusal = reads ? await refusalOfLength(request, reply, text) : undefined;
  if (refusal !== undefined) return sendErrors(refusal, request, reply);
  await payForLength(request, reply, text);
  return reads ? sendReading(reply, `${text}\n`) : sendWritten(reply, `${text}\n`);
}

/** Sends the response of a mutation, which is never compressed (`sendReading`). */
function sendWritten(reply: FastifyReply, text: string): FastifyReply {
  reply.server.edgeMaker.holdUnsent(reply, text.length);
  return reply.send(text);
}

function sendErrors(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.edge.errorCode = error.code;
  const { log } = request.server.edgeMaker.parts;
  const errors = refusals(error, { requestId: request.id, log });
  return reply
    .code(error.status)
    .header('content-type', jsonType)
    .send(JSON.stringify(formattedResult({ errors })));
}

async function runAdmitted(
  graph: Graph,
  { admitted, variables }: FastPathRun,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<GraphResult> {
  try {
    const run = { admitted, variables, ...callerOf(request, reply) };
    return await runPaid(graph, run, await pay(run, 1));
  } catch (error) {
    return { errors: refusals(error, { requestId: request.id, log: request.server.edgeMaker.parts.log }) };
  }
}

/** Returns the context and the cost budget of a request. @throws {ApiError} when the request cannot have a context. */
function callerOf(request: FastifyRequest, reply: FastifyReply): Omit<Caller, 'onQuery' | 'publicContext'> {
  const { edgeMaker } = request.server;
  const budget = costBudgetOf(edgeMaker, { principal: request.edge.principal, ip: request.ip });
  // The headers report the points that are left.
  return {
    context: contextOf(request),
    reportsCost: asksForCost(request.headers),
    budget: {
      ...budget,
      spend: (points) => spendMore(request, reply, points),
      correct: (points) => correctCharge(request, reply, points),
      standing: () => request.edge.standing,
    },
  };
}

/** Does the same as `callerOf`, with errors in the form that Apollo Server takes. */
function apolloCaller(request: FastifyRequest, reply: FastifyReply): Omit<Caller, 'onQuery' | 'publicContext'> {
  try {
    return callerOf(request, reply);
  } catch (error) {
    throw apolloRefusal(error, { requestId: request.id, log: request.server.edgeMaker.parts.log });
  }
}

function headersOf(request: FastifyRequest): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // A page of another site can make a browser send such a request. It only reads, the browser adds no credential (there are no cookies), and the page cannot
  // see the response.
  if (namesDocument(request)) headers.set('apollo-require-preflight', 'true');
  return headers;
}

/** Returns the code of the first error in a response. A quote within a text is escaped, so that no text of a caller is taken for a code. */
function codeIn(text: string): ErrorCode | undefined {
  const [, code] = /"code":"([A-Z_]+)"/.exec(text) ?? [];
  return code !== undefined && isErrorCode(code) ? code : undefined;
}

/** The one error that Apollo Server sends with status 200. */
const unknownHash = '{"errors":[{"message":"PersistedQueryNotFound"';

function withRequestId(text: string, requestId: string): string {
  const { errors } = JSON.parse(text) as FormattedExecutionResult;
  return JSON.stringify({
    errors: errors?.map(({ extensions, ...error }) => ({ ...error, extensions: { ...extensions, requestId } })),
  });
}

interface FastPathRun {
  readonly admitted: Admitted;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Values of `Accept` for which Apollo Server responds with `application/json`. */
const plainAccepts: ReadonlySet<unknown> = new Set([undefined, '*/*', 'application/json']);
const plainFields: ReadonlySet<string> = new Set(['query', 'variables', 'operationName']);

/** Returns the run of a plain POST whose document was admitted before, which saves Apollo Server's part; undefined for every other request. */
export function fastPathRun(
  { method, headers, body }: FastifyRequest,
  operations: Operations,
): FastPathRun | undefined {
  if (method !== 'POST' || !plainAccepts.has(headers.accept) || !isRecord(body)) return undefined;
  for (const field of Object.keys(body)) if (!plainFields.has(field)) return undefined;
  const { query, operationName = null, variables = null } = body;
  if (typeof query !== 'string' || (operationName !== null && typeof operationName !== 'string')) return undefined;
  if (variables !== null && !isRecord(variables)) return undefined;
  const admitted = operations.recall(query, operationName);
  return admitted === undefined ? undefined : { admitted, variables: variables ?? {} };
}
