import type { ObjectSchema } from './json-schema.js';

/** The result of a tool as a resource: a document at an address that holds the arguments. */
export interface ResourceTemplate {
  /** Address with the names of arguments in braces: `lastro://operacoes/{ticker}`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The list of the resources that exist: a tool, and in its result the list, and in an item the value of the last argument and the title. */
  readonly list: { readonly tool: string; readonly items: string; readonly label: string } | undefined;
}

interface ResourceValues {
  readonly uri: string;
  readonly title: string;
  readonly list?: string | null | undefined;
  readonly items?: string | null | undefined;
  readonly label?: string | null | undefined;
}

interface ResourceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
}

/** Resources are rendered for people and models to read. */
export const resourceType = 'text/markdown';

/** Returns the template of a tool's resource. @throws {Error} for an address with a name that is not an argument of the tool */
export function resourceTemplateOf(
  { name, description, inputSchema }: ResourceTool,
  values: ResourceValues | undefined,
): ResourceTemplate | undefined {
  if (values === undefined) return undefined;
  const { uri, title, list, items, label } = values;
  const unknown = argumentsIn(uri).find((argument) => inputSchema.properties?.[argument] === undefined);
  if (unknown !== undefined) throw new Error(`{${unknown}} of the resource is not an argument of the tool`);
  const listed = list != null && items != null && label != null ? { tool: list, items, label } : undefined;
  return { uriTemplate: uri, name, title, description, list: listed };
}

function argumentsIn(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}

/** Returns the arguments that an address holds; undefined when it is not of the template. */
export function argumentsOfUri(template: string, uri: string): Record<string, string> | undefined {
  const names = argumentsIn(template);
  const pattern = template.replace(/[.?*+^$[\]\\()|]/g, String.raw`\$&`).replace(/\{\w+\}/g, '([^/?#]+)');
  const values = new RegExp(`^${pattern}$`).exec(uri)?.slice(1);
  if (values === undefined) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
  } catch {
    // A percent sign that encodes nothing: no resource has such an address.
    return undefined;
  }
}

export function uriOf(template: string, value: string): string {
  return template.replace(/\{\w+\}/, encodeURIComponent(value));
}
