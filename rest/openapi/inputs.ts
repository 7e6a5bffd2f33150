import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import { constraintOf } from '../../gateway/graph/limits/constraint-checks.js';
import { bounded, scalarSchema, type JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { lowerCaseEnum } from '../../gateway/graph/json-schema/output-schema.js';
import type { Variable } from '../../gateway/graph/json-schema/variables.js';
import type { Operations } from '../operations.js';
import { pathParameters, takesJson, type Parameter, type Row } from '../route.js';

type Input = Variable | GraphQLInputField;

export interface InputSchema extends JsonSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required: string[];
}

/** Schema of a route's arguments by name. @throws {Error} for one that a REST path cannot carry, and where table and operation name different ones */
export function inputSchema(operations: Operations, row: Row): InputSchema {
  const { variables } = operations(row.operation);
  checkNames(row, variables);
  const json = takesJson(row);
  const listed = variables.find(({ type }) => !json && isListType(getNullableType(type)));
  if (listed !== undefined) throw new Error(`${fileOf(row)} takes the list ${listed.name}, which a query cannot carry`);
  return objectSchema(variables, row.parameters, json);
}

const fileOf = ({ operation }: Row) => `rest/operations/${operation}.graphql`;

function checkNames(row: Row, variables: readonly Variable[]): void {
  const strange = pathParameters(row.path).filter((name) => !variables.some((variable) => variable.name === name));
  if (strange.length > 0) throw new Error(`${fileOf(row)} has no variable ${strange.join(', ')}`);
  checkMembers(fileOf(row), `${row.method} ${row.path}`, variables, row.parameters);
}

function checkMembers(
  holder: string,
  place: string,
  fields: readonly Input[],
  parameters: Readonly<Record<string, Parameter>>,
): void {
  const strange = Object.keys(parameters).filter((described) => !fields.some(({ name }) => name === described));
  const missing = fields.filter(({ name }) => parameters[name] === undefined).map(({ name }) => name);
  if (strange.length > 0) throw new Error(`${holder} has no variable or field ${strange.join(', ')}`);
  if (missing.length > 0) throw new Error(`${place} does not describe ${missing.join(', ')}`);
  for (const { name, type } of fields) {
    const own = getNamedType(type);
    const members = isInputObjectType(own) ? Object.values(own.getFields()) : [];
    checkMembers(own.name, `${place} (${name})`, members, parameters[name]?.members ?? {});
  }
}

function objectSchema(
  fields: readonly Input[],
  parameters: Readonly<Record<string, Parameter>>,
  json: boolean,
): InputSchema {
  const needed = fields.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
  const properties = fields.map((field) => {
    const { name, type } = field;
    const parameter = parameters[name];
    const nullable = json && !isNonNullType(type) && parameter?.header === undefined ? { nullable: true } : {};
    const schema = bounded(narrowed(type, parameter), constraintOf(field));
    // Null has to be among the words of an enum, as in responses.
    const words = nullable.nullable && schema.enum !== undefined ? { enum: [...schema.enum, null] } : {};
    return [
      name,
      {
        ...schema,
        ...words,
        ...nullable,
        ...parameter?.schema,
        description: parameter?.description ?? '',
      },
    ];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    required: needed.map(({ name }) => name),
  };
}

/** Returns the schema of a type; an empty one where the route gives the value another JSON form. */
function narrowed(type: GraphQLInputType, parameter: Parameter | undefined): JsonSchema {
  const form = formOf(parameter?.lowerCase === true ? inLowerCase(type) : type, parameter?.members ?? {});
  const declared = parameter?.schema?.type;
  if (declared !== 'number' || form.type === 'number')
    return declared === undefined || declared === form.type ? form : {};
  const { 'x-decimals': decimals, maximum } = parameter?.schema ?? {};
  if (String(getNullableType(type)) === 'Decimal' && decimals !== undefined && maximum !== undefined) return {};
  throw new Error('Only a Decimal may be a JSON number, and it needs x-decimals and maximum');
}

/** @throws {Error} for another type than an enum */
function inLowerCase(type: GraphQLInputType): GraphQLInputType {
  const named = getNullableType(type);
  if (!isEnumType(named)) throw new Error('Only an enum may be in lower case');
  return lowerCaseEnum(named);
}

/** A decimal as callers send it: without leading zeros. */
const decimalInput: JsonSchema = { type: 'string', pattern: String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$` };

function formOf(given: GraphQLInputType, members: Readonly<Record<string, Parameter>>): JsonSchema {
  const type = getNullableType(given);
  if (isScalarType(type)) return type.name === 'Decimal' ? decimalInput : scalarSchema(type.name);
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isListType(type)) return { type: 'array', items: formOf(type.ofType, members) };
  if (isInputObjectType(type)) {
    return { title: type.name, ...objectSchema(Object.values(type.getFields()), members, true) };
  }
  throw new Error(`The type ${String(type)} has no JSON schema yet`);
}

/** The published schema: formats without patterns, which break generators. Lists of input objects refer to components. @param components receives these */
export function publishedInput(operations: Operations, row: Row, components: Record<string, JsonSchema>): InputSchema {
  const { properties, required } = inputSchema(operations, row);
  return { type: 'object', properties: publishedProperties(properties, components), required };
}

function publishedProperties(
  properties: Record<string, JsonSchema>,
  components: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, published(schema, components)]));
}

/** Formats that generators give a type of its own, which has no length. */
const typedFormats = ['uuid', 'date', 'date-time'];

function published(
  { pattern, minLength, maxLength, title, ...schema }: JsonSchema,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { format = '', items, properties } = schema;
  const made: JsonSchema = {
    ...schema,
    ...(typedFormats.includes(format) ? {} : defined({ minLength, maxLength })),
    ...(format === '' ? defined({ pattern }) : {}),
    ...(items === undefined ? {} : { items: published(items, components) }),
    ...(properties === undefined ? {} : { properties: publishedProperties(properties, components) }),
  };
  if (title === undefined) return made;
  const known = components[title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(made))
    throw new Error(`Two routes describe the fields of ${title} differently`);
  components[title] = made;
  return { $ref: `#/components/schemas/${title}` };
}

function defined(schema: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** Returns the schema of a query parameter, where the empty text is refused. */
export function notEmpty(schema: JsonSchema): JsonSchema {
  const { type, enum: words, format, pattern, minLength = 0 } = schema;
  const isFree = type === 'string' && words === undefined && format === undefined && pattern === undefined;
  return isFree && minLength === 0 ? { ...schema, minLength: 1 } : schema;
}
