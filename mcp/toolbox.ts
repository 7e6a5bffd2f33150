import type { CallToolResult, CompleteRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Graph } from '../gateway/graph/graph.js';
import type { Context } from '../shared/context.js';
import { today } from '../shared/today.js';
import { callTool, prepareTool, runTool, type PreparedTool } from './call-tool.js';
import { complete, completeLast, type Completed, type RunTool } from './completions.js';
import { listedTool, type ListedTool } from './listed-tool.js';
import { completedBy } from './prompts.js';
import type { Resource } from './resource-reader.js';
import type { Tool, ToolEntry } from './tool.js';

/** The tools as one request uses them. */
export interface RequestTools {
  readonly entries: (ListedTool | ToolEntry)[];
  readonly resources: readonly Resource[];
  /** Calls a tool; undefined when there is none of that name. */
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

/** All tools, planned and ready. */
export interface Toolbox {
  readonly entries: readonly ToolEntry[];
  /**
   * Returns the tools for a request.
   * @param structured whether tools are listed with the schema of their result, and return it as structured content
   */
  forRequest(context: Context, structured: boolean): RequestTools;
}

/**
 * Prepares the tools on the graph.
 * @throws {Error} that names the file of a tool that the graph cannot plan
 */
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

/** Returns the argument of a tool that an argument of a prompt or of a resource's address stands for. */
function sourceOf(ref: CompleteRequest['params']['ref'], argument: string, resources: readonly Resource[]) {
  if (ref.type === 'ref/prompt') return completedBy(ref.name, argument);
  const resource = resources.find(({ template }) => template.uriTemplate === ref.uri);
  return resource && { tool: resource.tool, argument, isList: false };
}
