import { admitsNull, type JsonSchema } from '../../gateway/json-schema/json-schema.js';
import type { OpenApi } from '../clients/openapi.js';

/** Returns the exported types of the components of the OpenAPI text. */
export function componentTypes({ components }: OpenApi): string {
  const names = Object.keys(components.schemas).filter((name) => name !== 'Error');
  const events = names.filter((name) => name.startsWith('event.')).map(typeName);
  const declared = names.map((name) => declaration(typeName(name), components.schemas[name] ?? {}));
  const union = `/** An event of a webhook, after its signature was verified. */\nexport type WebhookEvent =${events.map((name) => `\n  | ${name}`).join('')};\n`;
  return [...declared, union].join('\n');
}

/** `event.order.filled` is `OrderFilledEvent`; other components keep their name. */
export function typeName(component: string): string {
  const [first, ...rest] = component.split('.');
  return first === 'event' ? `${pascal(rest.join('_'))}Event` : component;
}

/** `createOrder`, `order_filled` and `API keys` in the form of a type. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `API keys` is `apiKeys`. */
export function camel(text: string): string {
  const [first = '', ...rest] = text.split(' ');
  return first.toLowerCase() + pascal(rest.join(' '));
}

export function declaration(name: string, schema: JsonSchema): string {
  const doc = comment(schema.description, '');
  if (schema.type !== 'object' || schema.properties === undefined)
    return `${doc}export type ${name} = ${typeOf(schema)};\n`;
  return `${doc}export interface ${name} ${fields(schema, '')}\n`;
}

/** Returns a schema as a type. Requests write decimals that are JSON numbers as text; the client sends them as numbers. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  const type = withoutNull(schema, indent);
  return admitsNull(schema) ? `${type} | null` : type;
}

function withoutNull(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '');
  if (schema.enum !== undefined)
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value))
      .join(' | ');
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeOf(one, indent)).join(' & ');
  if (schema.type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`;
  if (schema.type === 'object')
    return schema.properties === undefined ? 'Readonly<Record<string, unknown>>' : fields(schema, indent);
  if (schema['x-decimals'] !== undefined) return 'string';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string' || schema.type === 'boolean') return schema.type;
  return 'unknown';
}

function grouped(type: string): string {
  return type.includes(' ') && !type.endsWith('}') ? `(${type})` : type;
}

function fields({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, inner);
    const isOptional = !required.includes(name);
    const missing = isOptional && type !== 'unknown' ? ' | undefined' : '';
    const form = schema['x-decimals'] === undefined ? '' : ' Decimal text, such as `"1500.50"`.';
    const doc = comment(`${schema.description ?? ''}${form}`, inner);
    return `${doc}${inner}readonly ${name}${isOptional ? '?' : ''}: ${type}${missing};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Returns a text as a doc comment, or nothing where there is none. */
export function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines.join('')} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
