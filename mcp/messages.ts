import { isUtf8 } from 'node:buffer';
import {
  ErrorCode,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  RequestIdSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { jsonShapeError } from '../gateway/edge/json-shape.js';
import { withoutMark } from '../gateway/edge/parse-json.js';
import { isRecord } from '../shared/is-record.js';
import { parametersError } from './parameters.js';

/** The messages of one POST, in order. */
export interface Messages {
  /** Those that the protocol's library reads. */
  readonly all: readonly JSONRPCMessage[];
  /** Responses to requests whose parameters have another form than their method's. */
  readonly refusals: readonly Refusal[];
  /** Whether they came as an array, so that the responses are sent as one. */
  readonly batch: boolean;
  /** Number of requests among them; each gets a response. */
  readonly requests: number;
}

interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** A body that cannot be handled message by message: reported as JSON-RPC 2.0 §5.1 requires, with a null id. */
export class UnreadableMessages extends Error {
  constructor(
    readonly code: ErrorCode.ParseError | ErrorCode.InvalidRequest,
    message: string,
  ) {
    super(message);
  }

  toJSON() {
    return { jsonrpc: '2.0', id: null, error: { code: this.code, message: this.message } };
  }
}

/** First revision of the protocol without batches. */
const firstWithoutBatches = '2025-06-18';
/** Maximum number of messages in one batch. */
const maxMessages = 100;
/** Maximum length in characters of a request's id, which its response repeats. */
const maxIdLength = 100;

/**
 * Reads the body of a POST.
 * @param version the header `MCP-Protocol-Version`; without it the revision is 2025-03-26 or older
 * @throws {UnreadableMessages}
 */
export function readMessages(body: Buffer, version: string | undefined): Messages {
  const parsed = parse(body);
  const batch = Array.isArray(parsed);
  if (batch && version !== undefined && version >= firstWithoutBatches)
    throw invalid(
      `Protocol version ${firstWithoutBatches} and later do not support batches: send one message per request`,
    );
  const entries: unknown[] = batch ? parsed : [parsed];
  if (entries.length === 0) throw invalid('The batch is empty');
  if (entries.length > maxMessages) throw invalid(`The batch has more than ${maxMessages} messages`);
  const given = entries.map(read);
  const refusals = given.flatMap((one) => ('refusal' in one ? [one.refusal] : []));
  const all = given.flatMap((one) => ('message' in one ? [one.message] : []));
  const ids = [...refusals, ...all.filter(isJSONRPCRequest)].map(({ id }) => id);
  if (ids.some((id) => String(id).length > maxIdLength)) throw invalid(`An id has more than ${maxIdLength} characters`);
  if (new Set(ids).size < ids.length) throw invalid('Two requests of the batch have the same id');
  // A cancellation can only refer to another message of the same POST, since nothing is kept between requests. It would leave
  // that message without a response, and the caller waiting.
  const kept = all.filter((one) => !('method' in one && one.method === 'notifications/cancelled'));
  return { all: kept, refusals, batch, requests: ids.length };
}

function parse(body: Buffer): unknown {
  const wrong = jsonShapeError(body);
  if (wrong !== undefined) throw invalid(`${wrong.path} ${wrong.message}`.trim());
  try {
    if (isUtf8(body)) return JSON.parse(withoutMark(body.toString('utf8')));
  } catch {
    // Reported below, like text that is not UTF-8.
  }
  throw new UnreadableMessages(ErrorCode.ParseError, 'Parse error: the body is not JSON in UTF-8');
}

/** Reads a message. Members that are null count as left out, since many programs write all that they know; those that are unknown are ignored. */
function read(entry: unknown): { readonly message: JSONRPCMessage } | { readonly refusal: Refusal } {
  const { jsonrpc, id, method, params, result, error } = isRecord(entry) ? entry : {};
  if (jsonrpc !== '2.0') throw invalid('Invalid request: a message is not JSON-RPC 2.0');
  const call = { jsonrpc, method, ...(params == null ? {} : { params: withoutNulls(params) }) };
  if (typeof method === 'string' && id !== undefined) {
    const known = RequestIdSchema.safeParse(id);
    if (!known.success) throw invalid('Invalid request: the id must be a text or a whole number');
    const wrong = parametersError(method, call.params);
    if (wrong === undefined) return { message: messageOf({ ...call, id }) };
    return { refusal: { jsonrpc, id: known.data, error: { code: ErrorCode.InvalidParams, message: wrong } } };
  }
  return {
    message: messageOf(
      method === undefined ? { jsonrpc, id, ...(error === undefined ? { result } : { error }) } : call,
    ),
  };
}

function messageOf(entry: object): JSONRPCMessage {
  const { success, data } = JSONRPCMessageSchema.safeParse(entry);
  if (success) return data;
  throw invalid('Invalid request: a message is not JSON-RPC 2.0');
}

/** Returns a value without the members of its objects that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

function invalid(text: string): UnreadableMessages {
  return new UnreadableMessages(ErrorCode.InvalidRequest, text);
}
