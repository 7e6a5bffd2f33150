import { isNonNullType, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { constraintOf } from '../gateway/graph/constraint-checks.js';
import { bounded, type JsonSchema } from '../gateway/json-schema/json-schema.js';
import { variablesOf, type Variable } from '../gateway/json-schema/variables.js';
import { sectionsArgument, type ArgumentForms } from './argument-forms.js';
import { inputSchema } from './input-schema.js';
import { agentSchemas, type ObjectSchema } from './json-schema.js';
import { argumentValuesOf, isSection } from './vocabulary.js';

/** The arguments of a tool: their schema, and the other forms in which they are accepted. */
export interface ToolArguments {
  readonly schema: ObjectSchema;
  readonly forms: ArgumentForms;
}

/**
 * Returns the arguments of a tool: the variables of its operation, each with its own description or that of the
 * graph's argument that it is passed to, and with the limits of `@argument`. Its sections are one argument.
 */
export function argumentsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): ToolArguments {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const symbols = new Set<string>();
  const sections: Variable[] = [];
  for (const variable of variablesOf(schema, operation)) {
    const { name, type, defaultValue, definition } = variable;
    const given = argumentValuesOf(schema, definition);
    if (given.isSymbol) symbols.add(name);
    if (isSection(definition)) {
      sections.push(variable);
      continue;
    }
    const argument = agentSchemas.described(bounded(inputSchema(type), constraintOf(variable)), variable.description);
    if (argument.description === undefined) throw new Error(`$${name} needs a description for the agent`);
    const preset = defaultValue === undefined ? {} : { default: defaultValue };
    properties[name] = { ...argument, ...given.limits, ...preset };
    if (isNonNullType(type) && defaultValue === undefined) required.push(name);
  }
  if (sections.length > 0) properties[sectionsArgument] = sectionsSchema(sections);
  const forms = { symbols, sections: new Map(sections.map((one) => [one.name, one.defaultValue === true])) };
  return { schema: { type: 'object', properties, required, additionalProperties: false }, forms };
}

function sectionsSchema(sections: readonly Variable[]): JsonSchema {
  const meanings = sections.map(({ name, description, type, defaultValue }) => {
    if (!description) throw new Error(`$${name} needs a description for the agent`);
    if (String(type) !== 'Boolean!' || typeof defaultValue !== 'boolean')
      throw new Error(`$${name} is a section: it must be a Boolean! with a default`);
    return `${name}: ${description}`;
  });
  const names = sections.map(({ name }) => name);
  const usual = sections.flatMap(({ name, defaultValue }) => (defaultValue === true ? [name] : []));
  return {
    type: 'array',
    items: { type: 'string', enum: names },
    maxItems: 2 * names.length,
    description: ['Parts of the result', ...meanings].join('\n'),
    default: usual,
  };
}
