import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorKinds } from '../shared/registry.js';
import type { Graph } from '../gateway/graph/graph.js';
import type { Prepared } from '../gateway/graph/operation.js';
import { inVariableNames } from '../gateway/graph/variable-names.js';
import type { Context } from '../shared/kernel/context.js';
import { ApiError, type ErrorDetail, maxDetails } from '../shared/kernel/errors.js';
import { isRecord } from '../shared/kernel/is-record.js';
import { messageOf } from '../shared/kernel/thrown.js';
import { readArguments, variablesFor } from './argument-forms.js';
import type { ObjectSchema } from './json-schema.js';
import { withNextCursors } from './next-cursor.js';
import { internalRefusal, refusalOf, toolError, type Refusal } from './tool-error.js';
import type { Tool } from './tool.js';
import { unknownHints } from './unknown-values.js';

type CheckArguments = (given: unknown) => ErrorDetail[];

/** The formats of `gateway/graph/json-schema`, in words. */
const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a day as YYYY-MM-DD',
  'date-time': 'an instant (RFC 3339)',
};

const ajv = new Ajv2020({ allErrors: true, logger: false, verbose: true });
addFormats.default(ajv);

/** Returns the check of arguments against a tool's schema, which is compiled by the first call: 32 of them are a twentieth of a start. */
function argumentsCheck(schema: ObjectSchema): CheckArguments {
  let validate: ValidateFunction | undefined;
  return (given) =>
    (validate ??= ajv.compile(schema))(given) ? [] : withoutRepetition(validate.errors ?? []).map(argumentErrorOf);
}

/** Leaves out what a text with a format breaks besides: the words for its format say it all. */
function withoutRepetition(errors: readonly ErrorObject[]): ErrorObject[] {
  const misformed = new Set(errors.flatMap((error) => (formatOf(error) === undefined ? [] : [error.instancePath])));
  const formats = new Set<string>();
  return errors
    .filter((error) => {
      const { instancePath } = error;
      if (!misformed.has(instancePath)) return true;
      if (formatOf(error) === undefined || formats.has(instancePath)) return false;
      formats.add(instancePath);
      return true;
    })
    .slice(0, maxDetails);
}

/** Returns the format that a text does not have: its schema has a pattern beside the format, which is narrower. */
function formatOf({ keyword, parentSchema }: ErrorObject): string | undefined {
  const format: unknown = parentSchema?.['format'];
  return (keyword === 'format' || keyword === 'pattern') && typeof format === 'string' ? format : undefined;
}

function argumentErrorOf(error: ErrorObject): ErrorDetail {
  const { instancePath, keyword, params, message = 'is not valid' } = error;
  const values: Readonly<Record<string, unknown>> = params;
  const at = (property?: unknown) => pathOf(instancePath, property);
  const format = formatOf(error);
  if (format !== undefined) return { path: at(), message: `must be ${formats[format] ?? format}` };
  switch (keyword) {
    case 'required':
      return { path: at(values['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { path: at(values['additionalProperty']), message: 'is not an argument of this tool' };
    case 'type':
      return { path: at(), message: `must be ${String(values['type'])}` };
    case 'enum':
      return { path: at(), message: `must be one of ${wordsOf(values['allowedValues']).join(', ')}` };
    case 'maxLength':
      return { path: at(), message: `must have at most ${String(values['limit'])} characters` };
    case 'maxItems':
      return { path: at(), message: `must have at most ${String(values['limit'])} items` };
    case 'minItems':
      return {
        path: at(),
        message: `must have at least ${String(values['limit'])} ${values['limit'] === 1 ? 'item' : 'items'}`,
      };
    default:
      return { path: at(), message };
  }
}

function wordsOf(allowed: unknown): string[] {
  return [allowed].flat().filter((value) => typeof value === 'string');
}

/** Converts a JSON pointer to a path: `/filter/states/0` becomes `filter.states[0]`. */
function pathOf(pointer: string, property?: unknown): string {
  const steps = pointer.split('/').slice(1);
  if (typeof property === 'string') steps.push(property);
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** A tool that is ready to be called: its operation is planned and there is a check of its arguments. */
export interface PreparedTool {
  readonly tool: Tool;
  readonly operation: Prepared;
  readonly check: CheckArguments;
}

export type ToolOutcome =
  { readonly value: Record<string, unknown>; readonly hints: readonly string[] } | { readonly refusal: Refusal };

/** Prepares a tool's operation on the graph. @throws {Error} that names the tool's file, when the graph cannot plan it. */
export function prepareTool(graph: Graph, tool: Tool): PreparedTool {
  try {
    return {
      tool,
      operation: graph.prepare(tool.document, { assumeValid: true }),
      check: argumentsCheck(tool.entry.inputSchema),
    };
  } catch (cause) {
    throw new Error(`mcp/tools/${tool.entry.name}.graphql: ${messageOf(cause)}`, { cause });
  }
}

/** Never throws: errors are in the result. @param structured whether the result is structured content with the same as text, or only text */
export async function callTool(
  context: Context,
  graph: Graph,
  prepared: PreparedTool,
  { given, structured }: { readonly given: object; readonly structured: boolean },
): Promise<CallToolResult> {
  const outcome = await runTool(context, graph, prepared, given);
  if ('refusal' in outcome) return toolError(prepared.tool, outcome.refusal, context.requestId);
  const texts = [JSON.stringify(outcome.value), ...outcome.hints];
  const content: CallToolResult['content'] = texts.map((text) => ({ type: 'text', text }));
  return structured ? { structuredContent: outcome.value, content } : { content };
}

/** Runs a tool. Never throws. */
export async function runTool(
  context: Context,
  graph: Graph,
  { tool, operation, check }: PreparedTool,
  given: object,
): Promise<ToolOutcome> {
  try {
    const read = readArguments(tool.entry.inputSchema, tool.forms, given);
    const details = [...read.details, ...check(read.values)];
    if (details.length > 0) return { refusal: invalidArguments(details) };
    const { data, errors: [error] = [] } = await graph.run(operation, variablesFor(tool.forms, read.values), context);
    if (error !== undefined) return failed(context, tool, error);
    return resultOf(tool, data ?? {});
  } catch (thrown) {
    return failed(context, tool, thrown);
  }
}

function invalidArguments(details: readonly ErrorDetail[]): Refusal {
  return { message: 'The arguments are not valid', statusCode: errorKinds.BAD_REQUEST.status, details };
}

function resultOf(
  { keys: [key, ...others], pick, cursors, flatten, unknowns }: Tool,
  data: Readonly<Record<string, unknown>>,
): ToolOutcome {
  for (const [root, change] of flatten) change(data[root]);
  const picked = pick(data);
  const value = Array.isArray(picked) ? { [key]: picked } : picked;
  if (!isRecord(value)) return { refusal: refusalOf(new ApiError('NOT_FOUND')) };
  const added = others.filter((other) => Object.hasOwn(data, other)).map((other) => [other, data[other]] as const);
  const whole = withNextCursors({ ...value, ...Object.fromEntries(added) }, cursors);
  return { value: whole, hints: unknownHints(data, unknowns) };
}

function failed(context: Context, tool: Tool, thrown: unknown): ToolOutcome {
  const refusal = refusalOf(thrown);
  if (refusal === internalRefusal) context.log.error({ err: thrown, tool: tool.entry.name }, 'A tool failed');
  if (refusal.details === undefined) return { refusal };
  return { refusal: { ...refusal, details: inVariableNames(tool.variableNames, thrown, refusal.details) } };
}
