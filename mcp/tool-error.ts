import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { cut } from '../shared/echo.js';
import { errorKinds, type ErrorDetail } from '../shared/errors.js';
import { asFed } from './fed-arguments.js';
import type { Tool } from './tool.js';

/** What is wrong, as far as the caller may know. */
export interface Refusal {
  readonly message: string;
  readonly statusCode: number;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** What the caller reads of an error that nobody foresaw. */
export const internalRefusal: Refusal = {
  message: 'The server failed to answer',
  statusCode: errorKinds.INTERNAL.status,
};

/** What the house's own errors look like, thrown here or told by the graph, from this process or from another one. */
const knownError = z.object({
  message: z.string(),
  extensions: z.object({
    statusCode: z.number().int(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    retryAfterSeconds: z.number().optional(),
  }),
});

/** The refusal behind whatever was thrown. Anything that is not an error of the house's own is `internalRefusal`. */
export function refusalOf(thrown: unknown): Refusal {
  const known = knownError.safeParse(thrown);
  return known.success ? { message: known.data.message, ...known.data.extensions } : internalRefusal;
}

/**
 * A refusal as the result of a call: what is wrong, and what to do next. The agent reads that, where an error of the
 * protocol would reach its host only.
 */
export function toolError(tool: Tool, refusal: Refusal, requestId: string): CallToolResult {
  const { message, details = [] } = refusal;
  const lines = [
    sentence(message),
    ...details.map((detail) => detailLine(tool, detail)),
    nextStep(tool, refusal, requestId),
  ];
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The error of one argument and what that argument is, since its description gives its form and where to find a value. */
function detailLine({ entry, fed }: Tool, { path: told, message }: ErrorDetail): string {
  const path = cut(asFed(fed, told));
  const known = entry.inputSchema.properties ?? {};
  const description = known[path.split(/[.[]/)[0] ?? '']?.description;
  const names = Object.keys(known);
  const help =
    description ?? (names.length === 0 ? 'The tool takes no arguments.' : `The arguments are ${names.join(', ')}.`);
  return `- ${sentence(`${path} ${message}`.trim())} ${help}`;
}

function nextStep({ entry, whenNotFound }: Tool, refusal: Refusal, requestId: string): string {
  const { statusCode, retryAfterSeconds } = refusal;
  switch (statusCode) {
    case errorKinds.NOT_FOUND.status:
      return whenNotFound;
    case errorKinds.UNAUTHORIZED.status:
    case errorKinds.FORBIDDEN.status:
      return 'Do not call again: ask the user to check the credential of this connection.';
    default:
      if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} seconds and call ${entry.name} again.`;
      return statusCode < internalRefusal.statusCode
        ? `Correct the arguments and call ${entry.name} again.`
        : `Call ${entry.name} once more; if it fails again, tell the user and quote the requestId ${requestId}.`;
  }
}
