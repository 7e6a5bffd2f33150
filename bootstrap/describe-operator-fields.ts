import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  print,
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { loadConfig } from '../shared/kernel/config.js';
import { systemClock } from '../shared/kernel/clock.js';
import { createKeyRing } from '../shared/security/crypto.js';
import { Database } from '../shared/database/database.js';
import { createLog } from '../shared/kernel/log.js';
import { declaredAccess } from '../shared/graphql/access.js';
import { subgraphs } from './one-subgraph.js';
import type { OperatorFields, OperatorInput } from './operator-field.js';

export async function describeOperatorFields(): Promise<OperatorFields> {
  const databaseUrl = 'postgres://127.0.0.1/';
  const parts = {
    config: loadConfig({ DEMO: 'false' }),
    databaseUrl,
    keyRing: createKeyRing(Buffer.alloc(32)),
    clock: systemClock,
    log: createLog('fatal', process.stderr),
    dataSource: new Database({ type: 'postgres', url: databaseUrl }),
  };
  const described: OperatorFields = { fields: {}, inputs: {}, enums: {} };
  for (const [name, open] of Object.entries(subgraphs)) {
    const { schema, close } = await open(parts);
    describeSchema(name, schema, described);
    await close?.();
  }
  return described;
}

function describeSchema(subgraph: string, schema: GraphQLSchema, described: OperatorFields): void {
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() } as const;
  for (const kind of ['query', 'mutation'] as const) {
    for (const field of Object.values(roots[kind]?.getFields() ?? {})) {
      const access = declaredAccess(field.extensions);
      const isOperators = access?.level === 'operator';
      if (access === undefined || field.deprecationReason != null || !(isOperators || isRead(kind, access))) continue;
      const page = pageOf(getNamedType(field.type));
      const isSingle = page === undefined && !isListType(getNullableType(field.type));
      for (const { type } of field.args) describeInput(getNamedType(type), described);
      described.fields[field.name] = {
        name: field.name,
        kind,
        subgraph,
        role: access.role,
        description: field.description ?? '',
        arguments: field.args.map(toInput),
        // For a list whose items have pages, only the items are read.
        selection: selectionOf(field.type, { depth: 1, withPages: isOperators && isSingle }),
        hasPages: page?.hasPageInfo === true && field.args.some(({ name }) => name === 'after'),
      };
    }
  }
}

/** Whether an operator may read a field of another level (`shared/graphql/access.ts`). */
function isRead(
  kind: 'query' | 'mutation',
  { level, scope }: { readonly level: string; readonly scope?: string | undefined },
): boolean {
  if (kind === 'mutation') return false;
  return (
    ['anyone', 'data', 'originator'].includes(level) || (level === 'developer' && scope?.endsWith(':read') === true)
  );
}

function toInput({ name, type, description, defaultValue }: GraphQLArgument | GraphQLInputField): OperatorInput {
  const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return {
    name,
    type: String(type),
    description: description ?? '',
    ...(value == null ? {} : { byDefault: print(value) }),
  };
}

function describeInput(type: GraphQLNamedType, described: OperatorFields): void {
  if (isEnumType(type)) described.enums[type.name] = type.getValues().map(({ name }) => name);
  if (!isInputObjectType(type) || described.inputs[type.name] !== undefined) return;
  const fields = Object.values(type.getFields());
  described.inputs[type.name] = fields.map(toInput);
  for (const { type: own } of fields) describeInput(getNamedType(own), described);
}

interface Wanted {
  readonly depth: number;
  readonly withPages: boolean;
}

/** Returns the selection of all scalars and enums of a type, and of the objects in it. The items of a page stand for the page. */
function selectionOf(output: GraphQLOutputType, wanted: Wanted): string {
  const type = getNamedType(output);
  if (isLeafType(type)) return '';
  const page = pageOf(type);
  if (page !== undefined) {
    const more = page.hasPageInfo ? ' pageInfo { endCursor hasNextPage }' : '';
    return `{ ${page.field.name} ${selectionOf(page.field.type, wanted)}${more} }`;
  }
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const selected = fields.flatMap((field) => selectedOf(field, wanted));
  return `{ ${selected.length === 0 ? '__typename' : selected.join(' ')} }`;
}

function selectedOf(
  { name, type, args, deprecationReason }: GraphQLField<unknown, unknown>,
  { depth, withPages }: Wanted,
) {
  // A label is its value in the words of a language.
  if (deprecationReason != null || args.some(isRequiredArgument) || name.endsWith('Label')) return [];
  const named = getNamedType(type);
  if (isLeafType(named)) return [name];
  if (depth === 0) return isObjectType(named) && named.getFields()['id'] !== undefined ? [`${name} { id }`] : [];
  if (pageOf(named) === undefined) return [`${name} ${selectionOf(type, { depth: depth - 1, withPages: false })}`];
  return withPages ? [`${name} ${selectionOf(type, { depth, withPages: false })}`] : [];
}

/** Returns the list in a type that is a page of one: a connection, or a list of REST's form. */
function pageOf(
  type: GraphQLNamedType,
): { readonly field: GraphQLField<unknown, unknown>; readonly hasPageInfo: boolean } | undefined {
  if (!isObjectType(type) || !/(Connection|List|Page)$/.test(type.name)) return undefined;
  const fields = type.getFields();
  const lists = Object.values(fields).filter(
    ({ name, type: own }) => name !== 'edges' && isListType(getNullableType(own)) && !isLeafType(getNamedType(own)),
  );
  const field = fields['nodes'] ?? lists[0];
  return field === undefined ? undefined : { field, hasPageInfo: fields['pageInfo'] !== undefined };
}
