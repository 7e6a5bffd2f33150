import {
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
import { cut } from '../shared/echo.js';
import { isRecord } from '../shared/is-record.js';

interface Method {
  readonly form: z.ZodType;
  /** What to send instead of parameters that have another form. */
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

/** Returns what is wrong with the parameters of a request, and what to send instead; undefined for right ones, and for a method that this server does not have. */
export function parametersError(method: string, params: unknown): string | undefined {
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
