import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isScalarType,
  Kind,
  print,
  type GraphQLType,
  type TypeNode,
} from 'graphql';
import { type OpenApi, type Operation, schemaAt } from '../open-api.js';
import { schemeOf, sampleInputs, hasWholeBody, type SampleInput } from './input.js';
import { pythonSample } from './python.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';
import type { JsonSchema } from '../../../../gateway/graph/json-schema/json-schema.js';

export interface SampleSource {
  readonly schema: GraphQLSchema;
  readonly documentOf: (id: string) => DocumentNode | undefined;
}

/** Returns the example of an operation in each language, the shell first. */
export function samplesOf(
  source: SampleSource,
  openApi: OpenApi,
  operation: Operation,
): readonly { readonly title: string; readonly text: string }[] {
  const document = source.documentOf(operation.id);
  const graphql = document === undefined ? undefined : graphqlSample(source, openApi, operation, document);
  return [
    ...(operation.curl === undefined ? [] : [{ title: 'curl', text: operation.curl }]),
    // The clients are for programs, and have no cookie.
    ...(schemeOf(operation) === 'browserSession'
      ? []
      : [
          { title: 'TypeScript', text: typescriptSample(openApi, operation) },
          { title: 'Python', text: pythonSample(openApi, operation) },
        ]),
    ...(graphql === undefined
      ? []
      : [
          {
            title: 'GraphQL',
            text: `${graphql.document}\n\n# Variables\n${JSON.stringify(graphql.variables, null, 2).replaceAll(/^/gm, '# ')}`,
          },
        ]),
  ];
}

/** A document with its variables, as `POST /graphql` takes it. */
export interface GraphqlSample {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns the document that a path runs, with the values of its example. */
export function graphqlSample(
  { schema }: { readonly schema: GraphQLSchema },
  openApi: OpenApi,
  operation: Operation,
  document: DocumentNode,
): GraphqlSample {
  const values = new Map(sampleInputs(openApi, operation).map(({ name, value }) => [name, value]));
  const definition = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const declared = definition?.variableDefinitions ?? [];
  const variables = declared.flatMap(({ variable, type }) => {
    const name = variable.name.value;
    return values.has(name) ? [[name, coerced(inputType(schema, type), values.get(name))] as const] : [];
  });
  return { document: print(document), variables: Object.fromEntries(variables) };
}

/** Converts a value of the REST path: decimals are text in the graph, and the values of enums in upper case. */
function coerced(given: GraphQLType | undefined, value: unknown): unknown {
  const type = getNamedType(given);
  if (Array.isArray(value)) return value.map((item) => coerced(type, item));
  if (isInputObjectType(type) && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, coerced(type.getFields()[name]?.type, one)]),
    );
  if (isEnumType(type) && typeof value === 'string') return value.toUpperCase();
  if (isScalarType(type) && type.name === 'Decimal') return String(value);
  return value;
}

/** The type of a variable’s value or of the items of its list. */
function inputType(schema: GraphQLSchema, node: TypeNode): GraphQLType | undefined {
  if (node.kind !== Kind.NAMED_TYPE) return inputType(schema, node.type);
  return schema.getType(node.name.value);
}

const options: Readonly<Record<string, string>> = {
  apiKey: "apiKey: process.env['API_KEY'] ?? ''",
  developerKey: "developerKey: process.env['DEVELOPER_KEY'] ?? ''",
  session: "session: process.env['ACCESS_TOKEN'] ?? ''",
  accessToken:
    "trading: { apiKey: process.env['TRADING_API_KEY'] ?? '', secretKey: process.env['TRADING_SECRET_KEY'] ?? '' }",
  signature: "originator: { clientId: process.env['CLIENT_ID'] ?? '', privateKey }",
};

/** Returns the example of an operation with `@lastro/sdk`. A test checks its types against the package. */
export function typescriptSample(document: OpenApi, operation: Operation): string {
  const scheme = schemeOf(operation);
  const credential = scheme === undefined ? undefined : options[scheme];
  const signed = scheme === 'signature';
  const settings = ["baseUrl: process.env['LASTRO_URL'] ?? ''", ...(credential === undefined ? [] : [credential])];
  const call = [`'${operation.path}'`, ...inputOf(document, operation)].join(', ');
  return [
    ...(signed ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { createClient } from '@lastro/sdk';",
    '',
    ...(signed ? ["const privateKey = await readFile(process.env['PRIVATE_KEY'] ?? '', 'utf8');"] : []),
    'const client = createClient({',
    ...settings.map((line) => `  ${line},`),
    '});',
    `const response = await client.${operation.method}(${call});`,
    'console.log(response);',
  ].join('\n');
}

/** What the call takes beside the path; nothing where it takes nothing. */
function inputOf(document: OpenApi, operation: Operation): string[] {
  const inputs = sampleInputs(document, operation);
  const object = (place: SampleInput['place'], indent: string) => {
    const fields = inputs
      .filter((one) => one.place === place)
      .map(({ name, value, schema }) => `${indent}  ${name}: ${written(document, value, schema, `${indent}  `)},\n`);
    return fields.length === 0 ? [] : [`{\n${fields.join('')}${indent}}`];
  };
  const params = (['path', 'query'] as const).flatMap((place) =>
    object(place, '    ').map((one) => `    ${place}: ${one},\n`),
  );
  const body = hasWholeBody(operation)
    ? inputs.filter(({ place }) => place === 'body').map(({ value, schema }) => written(document, value, schema, '  '))
    : object('body', '  ');
  const parts = [
    ...(params.length === 0 ? [] : [`  params: {\n${params.join('')}  },\n`]),
    ...body.map((one) => `  body: ${one},\n`),
  ];
  return parts.length === 0 ? [] : [`{\n${parts.join('')}}`];
}

/** Decimals are text for the client. */
function written(document: OpenApi, value: unknown, given: JsonSchema, indent: string): string {
  const schema = schemaAt(document, given);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => written(document, item, schema.items ?? {}, deeper));
    return items.every((item) => !item.includes('\n'))
      ? `[${items.join(', ')}]`
      : `[\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}]`;
  }
  if (isRecord(value)) {
    const fields = Object.entries(value).map(
      ([name, one]) => `${deeper}${name}: ${written(document, one, schema.properties?.[name] ?? {}, deeper)},\n`,
    );
    return `{\n${fields.join('')}${indent}}`;
  }
  if (typeof value === 'number' && schema['x-decimals'] !== undefined)
    return `'${value.toFixed(schema['x-decimals'])}'`;
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  return JSON.stringify(value);
}
