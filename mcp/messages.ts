import { isUtf8 } from 'node:buffer';
import {
  ErrorCode,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { jsonShapeError } from '../gateway/edge/json-shape.js';

/** The messages of one POST, in order. */
export interface Messages {
  readonly all: readonly JSONRPCMessage[];
  /** Whether they came as an array, so that the responses are sent as one. */
  readonly batch: boolean;
  /** Number of requests among them; each gets a response. */
  readonly requests: number;
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
  const given = parse(body);
  const batch = Array.isArray(given);
  if (batch && version !== undefined && version >= firstWithoutBatches)
    throw invalid(
      `Protocol version ${firstWithoutBatches} and later do not support batches: send one message per request`,
    );
  const entries: unknown[] = batch ? given : [given];
  if (entries.length === 0) throw invalid('The batch is empty');
  if (entries.length > maxMessages) throw invalid(`The batch has more than ${maxMessages} messages`);
  const all = entries.map(message);
  const ids = all.filter(isJSONRPCRequest).map(({ id }) => id);
  if (ids.some((id) => String(id).length > maxIdLength)) throw invalid(`An id has more than ${maxIdLength} characters`);
  if (new Set(ids).size < ids.length) throw invalid('Two requests of the batch have the same id');
  // A cancellation can only refer to another message of the same POST, since nothing is kept between requests. It would leave
  // that message without a response, and the caller waiting.
  const kept = all.filter((one) => !('method' in one && one.method === 'notifications/cancelled'));
  return { all: kept, batch, requests: ids.length };
}

function parse(body: Buffer): unknown {
  const wrong = jsonShapeError(body);
  if (wrong !== undefined) throw invalid(wrong);
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8'));
  } catch {
    // Reported below, like text that is not UTF-8.
  }
  throw new UnreadableMessages(ErrorCode.ParseError, 'Parse error: the body is not JSON in UTF-8');
}

function message(entry: unknown): JSONRPCMessage {
  const read = JSONRPCMessageSchema.safeParse(entry);
  if (read.success) return read.data;
  throw invalid('Invalid request: a message is not JSON-RPC 2.0');
}

function invalid(text: string): UnreadableMessages {
  return new UnreadableMessages(ErrorCode.InvalidRequest, text);
}
