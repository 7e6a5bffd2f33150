import type { CallToolResult, CompleteRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Graph } from '../gateway/graph/graph.js';
import { type Context, today } from '../shared/kernel/context.js';
import { callTool, prepareTool, runTool, type PreparedTool } from './call-tool.js';
import { complete, completeLast, type Completed, type RunTool } from './completions.js';
import { completedBy } from './prompts.js';
import type { Resource } from './resource-reader.js';
import type { Tool, ToolEntry } from './tool.js';
import type { JsonSchema } from '../gateway/graph/json-schema/json-schema.js';
import { sectionsArgument } from './argument-forms.js';

export interface RequestTools {
  readonly entries: (ListedTool | ToolEntry)[];
  readonly resources: readonly Resource[];
  call(name: string, given: object): Promise<CallToolResult> | undefined;
  readonly run: RunTool;
  /** The civil day of the request in São Paulo. */
  today(): string;
  complete(
    ref: CompleteRequest['params']['ref'],
    argument: { readonly name: string; readonly value: string },
    known: Readonly<Record<string, string>>,
  ): Promise<Completed>;
}

export interface Toolbox {
  readonly entries: readonly ToolEntry[];
  /** Returns the tools for a request. @param structured whether tools are listed with the schema of their result, and return it as structured content */
  forRequest(context: Context, structured: boolean): RequestTools;
}

/** Prepares the tools on the graph. @throws {Error} that names the file of a tool that the graph cannot plan */
export function createToolbox(graph: Graph, tools: readonly Tool[]): Toolbox {
  const prepared = new Map(tools.map((tool) => [tool.entry.name, prepareTool(graph, tool)]));
  const entries = tools.map(({ entry }) => entry);
  const brief = entries.map(listedTool);
  const resources = tools.flatMap(({ entry, resource, whenNotFound }) =>
    resource === undefined ? [] : [{ tool: entry.name, template: resource, whenNotFound }],
  );
  return {
    entries,
    forRequest: (context, structured) => {
      const of = <T>(name: string, use: (tool: PreparedTool) => T) => {
        const tool = prepared.get(name);
        return tool === undefined ? undefined : use(tool);
      };
      const run: RunTool = (name, given) => of(name, (tool) => runTool(context, graph, tool, given));
      return {
        entries: structured ? entries : brief,
        resources,
        call: (name, given) => of(name, (tool) => callTool(context, graph, tool, { given, structured })),
        run,
        today: () => today(context),
        complete: async (ref, { name, value }, known) => {
          const source = sourceOf(ref, name, resources);
          const completion = source && prepared.get(source.tool)?.tool.completions.get(source.argument);
          if (source === undefined || completion === undefined) return { values: [], hasMore: false };
          return (source.isList ? completeLast : complete)(run, completion, value, known);
        },
      };
    },
  };
}

function sourceOf(ref: CompleteRequest['params']['ref'], argument: string, resources: readonly Resource[]) {
  if (ref.type === 'ref/prompt') return completedBy(ref.name, argument);
  const resource = resources.find(({ template }) => template.uriTemplate === ref.uri);
  return resource && { tool: resource.tool, argument, isList: false };
}

/** The entry of a tool in `tools/list`, which agents keep in their context as long as they are connected. */
type ListedTool = Omit<ToolEntry, 'outputSchema'>;

/** Returns what an agent needs to choose and call a tool; result schema, longest texts and lists, and meanings of enum values are only in the catalogue. */
function listedTool({ name, title, description, inputSchema, annotations }: ToolEntry): ListedTool {
  const { readOnlyHint, openWorldHint } = annotations;
  const { properties = {}, required = [] } = inputSchema;
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: briefEach(properties),
      ...(required.length === 0 ? {} : { required }),
    },
    // The protocol gives the other hints no meaning for a tool that only reads.
    annotations: { readOnlyHint, openWorldHint },
  };
}

function briefEach(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, brief(name, schema)]));
}

const rewritten = new Set(['type', 'description', 'enum', 'items', 'properties', 'maxLength', 'maxItems', 'pattern']);

function brief(name: string, schema: JsonSchema): JsonSchema {
  const { type, description, enum: values, items, properties, format, pattern } = schema;
  // The meanings of enum values follow the description of the argument; only the values of sections cannot be guessed.
  const isEnum = name !== sectionsArgument && (values ?? items?.enum) !== undefined;
  const text = isEnum ? description?.split('\n')[0] : description;
  return {
    ...(type === undefined ? {} : { type }),
    ...(text === undefined ? {} : { description: text }),
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !rewritten.has(keyword))),
    // A format says enough to an agent.
    ...(pattern === undefined || format !== undefined ? {} : { pattern }),
    ...(values === undefined ? {} : { enum: values }),
    ...(items === undefined ? {} : { items: brief('', withoutDescription(items)) }),
    ...(properties === undefined ? {} : { properties: briefEach(properties) }),
  };
}

/** Items of a list are described with the list. */
function withoutDescription(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'description'));
}
