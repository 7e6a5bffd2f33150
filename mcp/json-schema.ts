import type { Dialect, JsonSchema } from '../gateway/graph/json-schema/json-schema.js';

export interface ObjectSchema extends JsonSchema {
  type: 'object';
}

/** JSON Schema as MCP has it (draft 2020-12): everything inline, with the meanings of an enum's values for the agent. */
export const agentSchemas: Dialect = {
  orNull: (schema) => {
    if (schema.type === undefined) {
      return schema.anyOf === undefined ? schema : { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
    }
    const nullable: JsonSchema = { ...schema, type: [schema.type, 'null'].flat() };
    return schema.enum === undefined ? nullable : { ...nullable, enum: [...schema.enum, null] };
  },
  described: (schema, heading) => {
    const description = [heading?.trim(), schema.description].filter(Boolean).join('\n');
    return description === '' ? schema : { ...schema, description };
  },
  enumeration: (type) => {
    const values = type.getValues();
    const meanings = values.flatMap(({ name, description }) => (description ? [`${name}: ${description}`] : []));
    const schema = { type: 'string', enum: values.map(({ name }) => name) };
    return agentSchemas.described(schema, meanings.join('\n'));
  },
  fragment: (_fragment, _type, make) => make(),
  oneOf: (alternatives) => ({
    anyOf: alternatives.map(({ type, schema }) => agentSchemas.described(schema, type.description)),
  }),
};
