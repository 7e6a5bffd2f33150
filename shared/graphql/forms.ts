import {
  defaultFieldResolver,
  getNullableType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
} from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context } from '../kernel/context.js';
import { ApiError, type ErrorDetail, type RuleValue } from '../kernel/errors.js';

/** The content of `InputErrors`: a rejected input, as a result. */
class InputErrors {
  constructor(
    readonly code: string,
    readonly message: string,
    readonly details: readonly ErrorDetail[],
  ) {}
}

/** Adds a mutation `<name>Result` whose result is the object or `InputErrors`, so that a form gets the errors of its fields as data. */
export function FormMutation(): MethodDecorator {
  return Extensions({ form: true });
}

/** Returns the name of the second mutation of a `@FormMutation`. */
export function formNameOf(mutation: string): string {
  return `${mutation}Result`;
}

/** Returns the schema with the second mutation of each `@FormMutation`. @throws when such a mutation returns no object, or the name is taken */
export function withForms(schema: GraphQLSchema): GraphQLSchema {
  const mutations: Record<string, GraphQLField<unknown, Context>> = schema.getMutationType()?.getFields() ?? {};
  const forms = Object.values(mutations).filter(({ extensions }) => extensions['form'] === true);
  if (forms.length === 0) return schema;
  const errors = inputErrorsType(schema);
  for (const field of forms) {
    const name = formNameOf(field.name);
    const type = getNullableType(field.type);
    if (!isObjectType(type) || mutations[name] !== undefined)
      throw new Error(`${field.name} can be no form mutation: it returns no object, or there is a mutation ${name}`);
    mutations[name] = formField(name, field, type, errors);
  }
  return new GraphQLSchema({ ...schema.toConfig(), assumeValid: true });
}

function formField(
  name: string,
  field: GraphQLField<unknown, Context>,
  type: GraphQLObjectType,
  errors: GraphQLObjectType,
): GraphQLField<unknown, Context> {
  const union = new GraphQLUnionType({
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    description: `Result of \`${name}\`: the object, or the errors of the input.`,
    types: [type, errors],
    resolveType: (value) => (value instanceof InputErrors ? errors.name : type.name),
  });
  const resolve = field.resolve ?? defaultFieldResolver;
  return {
    ...field,
    name,
    description: `As \`${field.name}\`, for forms: an input that is rejected with errors of its fields is an \`InputErrors\` of the result. Every other error, and a value that GraphQL itself rejects, is in \`errors\`. ${field.description ?? ''}`,
    type: union,
    resolve: inputErrorsOf((source, args, context, info) =>
      resolve(source, args, context, { ...info, fieldName: field.name }),
    ),
    extensions: { ...field.extensions, form: false },
    astNode: undefined,
  };
}

/** Wraps a resolver: a 4xx error with details becomes its result. */
function inputErrorsOf(resolve: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> {
  return async (source, args, context, info): Promise<unknown> => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const { details = [] } = error.extensions;
      if (details.length === 0) throw error;
      // The result is no error, but what the act wrote without committing it is undone as for one.
      if (context.idempotency !== undefined) context.idempotency.refused = true;
      return new InputErrors(error.code, error.message, details);
    }
  };
}

/** @param schema which may name values of rules itself (`rule-value.type.ts`) */
function inputErrorsType(schema: GraphQLSchema): GraphQLObjectType {
  const text = new GraphQLNonNull(GraphQLString);
  // Subgraphs have these types in common.
  const extensions = { directives: { shareable: {} } };
  const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
  const named = schema.getType('InputErrorValue');
  const value = isObjectType(named) ? named : valueType(extensions);
  const detail = new GraphQLObjectType<ErrorDetail>({
    name: 'InputError',
    description: 'An error of an input.',
    fields: {
      path: {
        type: text,
        description:
          'Place of the value, such as `contracts[17].debtorDocument`; empty where it is the input as a whole',
      },
      message: { type: text, description: 'What is wrong with the value, and what to send instead, in English' },
      rule: {
        type: GraphQLString,
        description:
          'Stable code of the rule that the value breaks, such as `TEXT_LENGTH`, for texts in other languages; null where the message is made of no rule',
      },
      values: {
        type: listOf(value),
        description: 'The values that the message names, such as `min` and `max`',
        resolve: ({ values = [] }) => values,
      },
    },
    extensions,
  });
  return new GraphQLObjectType<InputErrors>({
    name: 'InputErrors',
    description: 'A rejected input, with all of its errors; nothing was changed.',
    fields: {
      code: { type: text, description: 'Code of the error, as in `extensions.code`: BAD_REQUEST, UNPROCESSABLE …' },
      message: { type: text, description: 'The errors in one sentence' },
      details: {
        type: listOf(detail),
        description: 'The errors, at most 100',
      },
    },
    extensions,
  });
}

function valueType(extensions: Readonly<Record<string, unknown>>): GraphQLObjectType {
  const text = new GraphQLNonNull(GraphQLString);
  return new GraphQLObjectType<RuleValue>({
    name: 'InputErrorValue',
    description: 'A value that the text of a rule names.',
    fields: {
      name: { type: text, description: 'Name of the value, such as `max`' },
      value: { type: text, description: 'The value: a number in decimal form, a moment in RFC 3339, or a text' },
    },
    extensions,
  });
}
