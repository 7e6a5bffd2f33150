import { isUtf8 } from 'node:buffer';
import {
  ErrorCode,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  RequestIdSchema,
  type JSONRPCMessage,
  type RequestId,
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { jsonShapeError, withoutMark } from '../shared/kernel/json.js';
import { cut } from '../shared/kernel/echo.js';
import { isRecord } from '../shared/kernel/is-record.js';

export interface Messages {
  readonly all: readonly JSONRPCMessage[];
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
const maxMessages = 100;
/** Maximum length in characters of a request's id, which its response repeats. */
const maxIdLength = 100;

/** Reads the body of a POST. @param version the header `MCP-Protocol-Version`; without it the revision is 2025-03-26 or older @throws {UnreadableMessages} */
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
  const text = body.toString('utf8');
  const wrong = jsonShapeError(text);
  if (wrong !== undefined) throw invalid(`${wrong.path} ${wrong.message}`.trim());
  try {
    if (isUtf8(body)) return JSON.parse(withoutMark(text));
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

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

function invalid(text: string): UnreadableMessages {
  return new UnreadableMessages(ErrorCode.InvalidRequest, text);
}

interface Method {
  readonly form: z.ZodType;
  /** Parameters to send instead, if those sent do not have the form. */
  readonly way: string;
}

const firstPage = 'leave out params for the first page';

/** The methods of this server. The SDK would report parameters of another form as its own failure, in the words of its validator. */
const methods: Readonly<Record<string, Method>> = {
  initialize: {
    form: InitializeRequestSchema,
    way: 'send {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "…", "version": "…"}}',
  },
  ping: { form: PingRequestSchema, way: 'leave out params' },
  'tools/list': { form: ListToolsRequestSchema, way: firstPage },
  'tools/call': {
    form: CallToolRequestSchema,
    way: 'send {"name": a tool of tools/list, "arguments": an object of its arguments}',
  },
  'resources/list': { form: ListResourcesRequestSchema, way: firstPage },
  'resources/templates/list': { form: ListResourceTemplatesRequestSchema, way: firstPage },
  'resources/read': { form: ReadResourceRequestSchema, way: 'send {"uri": an address of resources/list}' },
  'prompts/list': { form: ListPromptsRequestSchema, way: firstPage },
  'prompts/get': {
    form: GetPromptRequestSchema,
    way: 'send {"name": a prompt of prompts/list, "arguments": an object of texts}',
  },
  'completion/complete': {
    form: CompleteRequestSchema,
    way: 'send {"ref": {"type": "ref/prompt", "name": "…"} or {"type": "ref/resource", "uri": "…"}, "argument": {"name": "…", "value": "…"}}',
  },
};

/** Returns the error in the parameters of a request, and what to send instead; undefined for valid parameters, and for a method that this server does not have. */
function parametersError(method: string, params: unknown): string | undefined {
  const { form, way } = (Object.hasOwn(methods, method) ? methods[method] : undefined) ?? {};
  if (form === undefined) return undefined;
  const request = params === undefined ? { method } : { method, params };
  const issues = form.safeParse(request).error?.issues ?? [];
  if (issues.length === 0) return undefined;
  const errors = new Set(
    issues.map((issue) => `${pathOf(issue.path)} ${errorOf(issue, valueAt(request, issue.path))}`),
  );
  return `${method}: ${[...errors].slice(0, maxErrors).join('; ')}: ${way}`;
}

const maxErrors = 10;

function errorOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is missing';
  if (issue.code !== 'invalid_type') return 'has another form';
  const isObject = issue.expected === 'object' || issue.expected === 'record';
  return `must be ${isObject ? 'an object' : `a ${issue.expected}`}`;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key) => cut(String(key))).join('.');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((one, key) => (isRecord(one) ? one[String(key)] : undefined), value);
}
