import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { constraintOf } from '../../gateway/constraint-checks.js';
import { takesJson, type Parameter, type Row } from '../route.js';
import { rootField } from '../view.js';
import { scalarSchema, type Schema } from './schema.js';

export interface InputSchema extends Schema {
  readonly properties: Record<string, Schema>;
  readonly required: string[];
}

/**
 * Returns the schema of a route's arguments, by name, wherever they are sent: the types are the graph's, narrowed
 * by the route table.
 * @throws {Error} for an argument that a REST path cannot carry.
 */
export function inputSchema(view: GraphQLSchema, row: Row): InputSchema {
  const { args } = rootField(view, row).field;
  const json = takesJson(row);
  const listed = args.find(({ type }) => !json && isListType(getNullableType(type)));
  if (listed !== undefined)
    throw new Error(`${row.operation} takes the list ${listed.name}, which a query cannot carry`);
  return objectSchema(args, row.parameters, json);
}

function objectSchema(
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  parameters: Readonly<Record<string, Parameter>>,
  json: boolean,
): InputSchema {
  const needed = fields.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
  const properties = fields.map((field) => {
    const { name, type } = field;
    const parameter = parameters[name];
    const nullable = json && !isNonNullType(type) && parameter?.header === undefined ? { nullable: true } : {};
    return [
      name,
      {
        ...bounded(narrowed(type, parameter), field),
        ...nullable,
        ...parameter?.schema,
        description: parameter?.description ?? '',
      },
    ];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, Schema>,
    required: needed.map(({ name }) => name),
  };
}

/** Adds to a schema the maximum length or number of items that the graph accepts there. */
function bounded(form: Schema, field: GraphQLArgument | GraphQLInputField): Schema {
  const { maxLength, maxItems } = constraintOf(field);
  if (form.type === 'string' && form.enum === undefined && maxLength !== undefined) return { ...form, maxLength };
  if (form.type !== 'array' || form.items === undefined) return form;
  const items = form.items.type === 'string' && maxLength !== undefined ? { ...form.items, maxLength } : form.items;
  return { ...form, items, ...(maxItems === undefined ? {} : { maxItems }) };
}

/** Returns the schema of a type; an empty one where the route gives the value another JSON form. */
function narrowed(type: GraphQLInputType, parameter: Parameter | undefined): Schema {
  const form = formOf(type, parameter?.members ?? {});
  const declared = parameter?.schema?.type;
  if (declared !== 'number' || form.type === 'number')
    return declared === undefined || declared === form.type ? form : {};
  const { 'x-decimals': decimals, maximum } = parameter?.schema ?? {};
  if (String(getNullableType(type)) === 'Decimal' && decimals !== undefined && maximum !== undefined) return {};
  throw new Error('Only a Decimal may be a JSON number, and it needs x-decimals and maximum');
}

/** Returns the schema of a type's JSON form. */
function formOf(given: GraphQLInputType, members: Readonly<Record<string, Parameter>>): Schema {
  const type = getNullableType(given);
  if (isScalarType(type)) return scalarSchema(type.name);
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isListType(type)) return { type: 'array', items: formOf(type.ofType, members) };
  if (isInputObjectType(type)) {
    return objectSchema(Object.values(type.getFields()), members, true);
  }
  throw new Error(`The type ${String(type)} has no JSON schema yet`);
}
