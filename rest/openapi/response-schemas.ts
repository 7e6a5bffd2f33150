import { print } from 'graphql';
import type { Dialect, JsonSchema } from '../../gateway/json-schema/json-schema.js';
import { outputSchemas } from '../../gateway/json-schema/output-schema.js';
import type { SelectedValue } from '../../gateway/json-schema/marked-places.js';

/** Schemas of responses. What a named fragment selects is a component, once, however many responses hold it. */
export interface ResponseSchemas {
  readonly components: Record<string, JsonSchema>;
  /** Returns the schema of a response, which is never null: where the graph returns null, the path responds with 404. */
  of(response: SelectedValue): JsonSchema;
}

export function responseSchemas(): ResponseSchemas {
  const components: Record<string, JsonSchema> = {};
  /** What each component was made of, so that a second fragment of one name is noticed. */
  const sources = new Map<string, string>();

  const component = (name: string, source: string, description: string | null | undefined, make: () => JsonSchema) => {
    const known = sources.get(name);
    if (known !== undefined && known !== source)
      throw new Error(`Two fragments, or a fragment and an enum, are named ${name}: rename the fragment`);
    if (known === undefined) {
      sources.set(name, source);
      const schema: JsonSchema = {};
      // Added before what is selected below it, so that the order is that of a reader.
      components[name] = schema;
      Object.assign(schema, make(), description ? { description } : {});
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  const dialect: Dialect = {
    orNull,
    described,
    enumeration: (type) => {
      const schema = { type: 'string', enum: type.getValues().map(({ name }) => name) };
      return component(type.name, type.name, type.description, () => schema);
    },
    fragment: (fragment, type, make) =>
      component(fragment.name.value, print(fragment), fragment.description?.value ?? type.description, make),
    oneOf: (alternatives) => ({ oneOf: alternatives.map(({ schema }) => schema) }),
  };
  const schemaOf = outputSchemas(dialect);
  return { components, of: ({ source, type, selections }) => schemaOf(source, type, selections) };
}

/**
 * Returns the same schema, extended to allow null. OpenAPI 3.0 has no null type and allows no siblings of a `$ref`: it is wrapped in
 * `allOf`, the form that generators of clients know.
 */
function orNull(schema: JsonSchema): JsonSchema {
  if (schema.enum !== undefined) return { ...schema, enum: [...schema.enum, null], nullable: true };
  if (schema.$ref === undefined) return { ...schema, nullable: true };
  return { type: 'object', allOf: [schema], nullable: true };
}

function described(schema: JsonSchema, text: string | null | undefined): JsonSchema {
  if (!text) return schema;
  const description = overRest(text);
  return schema.$ref === undefined ? { ...schema, description } : { description, allOf: [schema] };
}

/** Converts the description of a field of the graph: over REST it has no arguments, so no errors of its own, and may be absent instead of null. */
function overRest(description: string): string {
  return description
    .replace(/ Errors: 400 [^.]*\.$/, '')
    .replace(/; null ([^;]*) \(omitted over REST\)/, '; absent $1');
}
