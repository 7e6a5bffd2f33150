import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  GraphQLEnumType,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { z } from 'zod';
import type { Context } from '../kernel/context.js';

/** The text that a page shows for a value: in Brazilian Portuguese, and in English. */
export type Label = readonly [portuguese: string, english: string];

const locales = ['PT_BR', 'EN'] as const;
export type Locale = (typeof locales)[number];

/** The labels of an enum's values, by the name of the enum: `describeEnum` declares them. */
const declared = new Map<string, ReadonlyMap<string, Label>>();

/** Declares the labels of an enum. @throws when another enum of this name has other labels: both are one type of the graph. */
export function declareLabels(enumName: string, labels: Readonly<Record<string, Label>>): void {
  const known = declared.get(enumName);
  const entries = Object.entries(labels);
  if (known !== undefined && JSON.stringify([...known]) !== JSON.stringify(entries))
    throw new Error(`The enum ${enumName} is declared twice, with different labels`);
  declared.set(enumName, new Map(entries));
}

/** Declares that the Portuguese label of a field is a text of its object, as an operator published it; so is any label of `OTHER`. */
export function PublishedLabel(property: string): PropertyDecorator {
  return Extensions({ publishedLabel: property });
}

/** Adds `<name>Label(locale)` for each enum field with labels, with its access. @throws when such a field takes arguments, or the name is taken */
export function withLabels(schema: GraphQLSchema): GraphQLSchema {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const known = schema.getType('Locale');
  const locale = new GraphQLNonNull(isEnumType(known) ? known : localeType());
  let labelled = false;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type)) continue;
    const fields: Record<string, GraphQLField<unknown, Context>> = type.getFields();
    for (const [name, field] of Object.entries(fields)) {
      // Taken out and put back, so that each label follows its field.
      Reflect.deleteProperty(fields, name);
      fields[name] = field;
      const labels = labelsOf(field);
      if (labels === undefined) continue;
      const labelName = `${name}Label`;
      if (fields[labelName] !== undefined || field.args.length > 0)
        throw new Error(`${type.name}.${name} can have no label: it takes arguments, or ${labelName} exists already`);
      fields[labelName] = labelField(labelName, field, labels, locale);
      labelled = true;
    }
  }
  return labelled ? new GraphQLSchema({ ...schema.toConfig(), assumeValid: true }) : schema;
}

function localeType(): GraphQLEnumType {
  return new GraphQLEnumType({
    name: 'Locale',
    description: 'Language of a label.',
    values: { PT_BR: { description: 'Brazilian Portuguese' }, EN: { description: 'English' } },
  });
}

function labelsOf({ type }: GraphQLField<unknown, Context>): ReadonlyMap<string, Label> | undefined {
  const named = getNamedType(type);
  return isEnumType(named) && !isListType(getNullableType(type)) ? declared.get(named.name) : undefined;
}

const publishedForm = z.object({ publishedLabel: z.string() });

function labelField(
  name: string,
  field: GraphQLField<unknown, Context>,
  labels: ReadonlyMap<string, Label>,
  locale: GraphQLNonNull<GraphQLEnumType>,
): GraphQLField<unknown, Context> {
  const property = publishedForm.safeParse(field.extensions).data?.publishedLabel;
  const textOf = (value: unknown, source: unknown, wanted: Locale): string | null => {
    if (value == null) return null;
    const published = property === undefined ? undefined : publishedText(source, property);
    if (published !== undefined && (wanted === 'PT_BR' || value === 'OTHER')) return published;
    const label = typeof value === 'string' ? labels.get(value) : undefined;
    if (label === undefined) throw new Error(`A value of ${field.name} has no label: ${JSON.stringify(value)}`);
    return label[locales.indexOf(wanted)] ?? null;
  };
  const source =
    property === undefined
      ? ''
      : ' The Portuguese label is the published one, and so is the English one of a value `OTHER`.';
  return {
    name,
    description: `Label of \`${field.name}\` for display.${isNonNullType(field.type) ? '' : ` Null when \`${field.name}\` is.`}${source}`,
    type: isNonNullType(field.type) ? new GraphQLNonNull(GraphQLString) : GraphQLString,
    args: [
      {
        name: 'locale',
        description: 'Language of the label',
        type: locale,
        defaultValue: 'PT_BR',
        deprecationReason: undefined,
        extensions: {},
        astNode: undefined,
      },
    ],
    resolve: (parent, { locale: wanted }: { readonly locale: Locale }, context, info) => {
      const value: unknown = (field.resolve ?? defaultFieldResolver)(parent, {}, context, {
        ...info,
        fieldName: field.name,
      });
      return value instanceof Promise
        ? value.then((found) => textOf(found, parent, wanted))
        : textOf(value, parent, wanted);
    },
    deprecationReason: field.deprecationReason,
    extensions: {},
    astNode: undefined,
  };
}

function publishedText(source: unknown, property: string): string | undefined {
  const text: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, property) : undefined;
  if (typeof text !== 'string') throw new Error(`The label of an object is no text: ${property}`);
  return text;
}
