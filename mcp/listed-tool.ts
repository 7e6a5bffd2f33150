import type { JsonSchema } from '../gateway/json-schema/json-schema.js';
import { sectionsArgument } from './argument-forms.js';
import type { ToolEntry } from './tool.js';

/** The entry of a tool in `tools/list`, which agents keep in their context as long as they are connected. */
export type ListedTool = Omit<ToolEntry, 'outputSchema'>;

/**
 * Returns what an agent needs to choose a tool and to call it. The rest is in the catalogue: the schema of the result, the longest texts and lists that
 * are accepted, the meanings of enum values, and that null is the same as leaving an argument out.
 */
export function listedTool({ name, title, description, inputSchema, annotations }: ToolEntry): ListedTool {
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
    // By the protocol the other hints have no meaning for a tool that only reads.
    annotations: readOnlyHint ? { readOnlyHint, openWorldHint } : annotations,
  };
}

function briefEach(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, brief(name, schema)]));
}

/** Keywords that are left out, or written in another form. */
const rewritten = new Set(['type', 'description', 'enum', 'items', 'properties', 'maxLength', 'maxItems', 'pattern']);

function brief(name: string, schema: JsonSchema): JsonSchema {
  const { type, description, enum: values, items, properties, format, pattern } = schema;
  // The meanings of enum values follow the description of the argument; only those of sections cannot be guessed.
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
