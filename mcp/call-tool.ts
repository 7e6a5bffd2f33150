import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import { isRecord } from '../shared/is-record.js';
import { messageOf } from '../shared/thrown.js';
import type { Graph } from '../gateway/graph.js';
import type { Prepared } from '../gateway/operation.js';
import { argumentsCheck, type CheckArguments } from './check-arguments.js';
import type { Tool } from './tool.js';
import { internalRefusal, refusalOf, toolError } from './tool-error.js';

/** A tool that is ready to be called: its operation is planned and the check of its arguments compiled. */
export interface PreparedTool {
  readonly tool: Tool;
  readonly operation: Prepared;
  readonly check: CheckArguments;
}

/**
 * Prepares a tool's operation on the graph.
 * @throws {Error} that names the tool's file, when the graph cannot plan it.
 */
export function prepareTool(graph: Graph, tool: Tool): PreparedTool {
  try {
    return { tool, operation: graph.prepare(tool.document), check: argumentsCheck(tool.entry.inputSchema) };
  } catch (cause) {
    throw new Error(`mcp/tools/${tool.entry.name}.graphql: ${messageOf(cause)}`, { cause });
  }
}

/** Calls a tool. Never throws: every error is reported in the result. */
export async function callTool(
  context: Context,
  graph: Graph,
  prepared: PreparedTool,
  given: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  try {
    const value = await resultOf(context, graph, prepared, given);
    // The same value as text, for agents whose host does not pass structured content on.
    return { structuredContent: value, content: [{ type: 'text', text: JSON.stringify(value) }] };
  } catch (thrown) {
    const { tool } = prepared;
    const refusal = refusalOf(thrown);
    if (refusal === internalRefusal) context.log.error({ err: thrown, tool: tool.entry.name }, 'A tool failed');
    return toolError(tool, refusal, context.requestId);
  }
}

/** Returns the value of the operation's root field. Throws for invalid arguments and for every error of the graph. */
async function resultOf(
  context: Context,
  graph: Graph,
  { tool, operation, check }: PreparedTool,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const details = check(given);
  if (details.length > 0) throw new ApiError('BAD_REQUEST', { message: 'The arguments are not valid', details });
  const { data, errors: [error] = [] } = await graph.run(operation, given, context);
  if (error !== undefined) throw error;
  const value = data?.[tool.rootKey];
  if (!isRecord(value)) throw new ApiError('NOT_FOUND');
  tool.flatten(value);
  return value;
}
