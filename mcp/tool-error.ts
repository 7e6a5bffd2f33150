import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { errorKinds, type ErrorCode } from '../shared/registry.js';
import { cut } from '../shared/kernel/echo.js';
import type { ErrorDetail } from '../shared/kernel/errors.js';
import type { Tool } from './tool.js';

export interface Refusal {
  readonly message: string;
  readonly statusCode: number;
  readonly code?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** The error about a market that does not exist, or is halted: the list of the markets shows both. */
const notTraded: ErrorCode = 'MARKET_NOT_AVAILABLE';

/** The error that the caller reads in place of an unexpected one. */
export const internalRefusal: Refusal = {
  message: 'The server could not complete the call',
  statusCode: errorKinds.INTERNAL.status,
};

const knownError = z.object({
  message: z.string(),
  extensions: z.object({
    statusCode: z.number().int(),
    code: z.string().optional(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    retryAfterSeconds: z.number().optional(),
  }),
});

/** Returns the refusal behind a thrown value. Any value that is not an error of the program's own becomes `internalRefusal`. */
export function refusalOf(thrown: unknown): Refusal {
  const known = knownError.safeParse(thrown);
  return known.success ? { message: known.data.message, ...known.data.extensions } : internalRefusal;
}

/** Turns a refusal into a result with what to do next: the agent reads results, whereas protocol errors reach only its host. */
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

function detailLine({ entry }: Tool, { path: given, message }: ErrorDetail): string {
  const path = cut(given);
  const known = entry.inputSchema.properties ?? {};
  const description = known[path.split(/[.[]/)[0] ?? '']?.description;
  const names = Object.keys(known);
  const help =
    description ?? (names.length === 0 ? 'The tool takes no arguments.' : `The arguments are ${names.join(', ')}.`);
  return `- ${sentence(`${path} ${message}`.trim())} ${help}`;
}

function nextStep({ entry, whenNotFound }: Tool, refusal: Refusal, requestId: string): string {
  const { statusCode, code, retryAfterSeconds } = refusal;
  if (code === notTraded) return whenNotFound;
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
