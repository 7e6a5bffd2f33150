import { afterAll, expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { z } from 'zod';
import { callerOf } from '../accounts/http.js';
import { openTestPlatform } from '../kit/platform.js';

/** The fields that identify objects, where that is not `id` (docs/guides/graphql.md). */
const identities: Readonly<Record<string, string>> = {
  EligibilityCriteria: 'patrimonyId',
  Order: 'orderId',
  Profile: 'walletId',
  Quote: 'quoteId',
  WebhookEvent: 'name',
};

type Data = Readonly<Record<string, unknown>>;
type Credential = Readonly<Record<string, string>>;

const platform = await openTestPlatform({
  DEMO: 'true',
  WEBHOOK_ALLOW_INSECURE: 'true',
  RATE_LIMIT_GRAPHQL: '100000000',
  RATE_LIMIT_ACCOUNTS: '1000',
  GRAPHQL_MAX_COST: '10000000',
  GRAPHQL_MAX_TOKENS: '100000',
});
const schema = buildSchema(await (await fetch(`${platform.url}/schema.graphql`)).text());
afterAll(() => platform.close());

async function ask(query: string, variables: Data, credential: Credential = {}): Promise<Data> {
  const { body } = await callerOf(platform).graphql(query, variables, credential);
  const { data, errors } = body as { data: Data | null; errors?: unknown };
  if (errors !== undefined || data === null) throw new Error(JSON.stringify(errors));
  return data;
}

/** The credential that a mutation for logging in returns. */
async function logIn(mutation: string, variables: Data): Promise<Credential> {
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: String!`).join(', ');
  const given = names.map((name) => `${name}: $${name}`).join(', ');
  const { it } = await ask(`mutation (${declared}) { it: ${mutation}(${given}) { accessToken } }`, variables);
  return { authorization: `Bearer ${z.object({ accessToken: z.string() }).parse(it).accessToken}` };
}

type Arguments = Readonly<Record<string, unknown>>;

/** Everything that an object has, to the given depth, but what needs arguments; types that the path contains already are not entered again. */
function selectionOf(type: GraphQLObjectType, depth: number, path: readonly string[]): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    const given = argumentsOf(field, {});
    if (given === undefined || path.includes(inner.name)) return [];
    if (isLeafType(inner)) return [`${field.name}${given}`];
    if (depth === 0 || !isObjectType(inner)) return [];
    return [`${field.name}${given} ${selectionOf(inner, depth - 1, [...path, inner.name])}`];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

/** The arguments of a field in a document: four items of a list, and what is known; undefined where another one is required. */
function argumentsOf({ args }: GraphQLField<unknown, unknown>, known: Arguments): string | undefined {
  const size = ['first', 'limit', 'last'].find((name) => args.some((argument) => argument.name === name));
  const given: string[] = [];
  for (const argument of args) {
    const value = argument.name === size ? 4 : known[argument.name];
    if (value !== undefined) given.push(`${argument.name}: ${JSON.stringify(value)}`);
    else if (isRequiredArgument(argument)) return undefined;
  }
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

/** Reads each field of the root alone, with each of the arguments; those that the caller may not read, or that find nothing, are left out. */
async function readAll(credential: Credential, known: readonly Arguments[]): Promise<Data[]> {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const documents = fields.flatMap((field) => {
    const type = getNamedType(field.type);
    if (!isObjectType(type)) return [];
    const texts = known.map((given) => argumentsOf(field, given)).filter((text) => text !== undefined);
    return [...new Set(texts)].map((text) => `{ ${field.name}${text} ${selectionOf(type, 3, [type.name])} }`);
  });
  const found: Data[] = [];
  for (const document of documents) {
    const data = await ask(document, {}, credential).catch(() => undefined);
    if (data !== undefined) found.push(data);
  }
  return found;
}

/** Fields that the reading itself changes. */
const uses = new Set(['lastUsedAt', 'lastSeenAt', 'requestCount']);

/** Calls `see` for each object that a cache would keep by a key, with its plain fields. */
function eachObject(value: unknown, see: (key: string, fields: Data) => void): void {
  if (Array.isArray(value)) for (const item of value) eachObject(item, see);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const entries = Object.entries(value);
  const { __typename: type = '', id } = value as { __typename?: string; id?: string };
  const identity = identities[type];
  const key = identity === undefined ? id : (value as Data)[identity];
  if (typeof key === 'string') {
    const plainFields = entries.filter(([name, inner]) => !uses.has(name) && !hasObject(inner));
    see(`${type} ${key}`, Object.fromEntries(plainFields));
  }
  for (const [, inner] of entries) eachObject(inner, see);
}

const hasObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasObject) : typeof value === 'object' && value !== null;

test('an object has the same values wherever a caller finds it', async () => {
  const demo = platform.demo();
  const credential = await logIn('login', demo.account);
  const text = `{ operations(first: 2) { nodes { ticker } } tranches(first: 2) { nodes { ticker } } creditBatches(first: 3) { nodes { id patrimonyId } }
    settlementBatches(first: 2) { nodes { id } } assets(first: 2) { nodes { id externalId patrimonyId } } }`;
  const lists = Object.values(await ask(text, {}, credential)) as { nodes: Arguments[] }[];
  const known: Arguments[] = [{}, ...lists.flatMap(({ nodes }) => nodes), { synthetic: true }];
  const trader = await logIn('tradingLogin', demo.trading);
  const seen = new Set<string>();
  const conflicts: string[] = [];
  for (const caller of [credential, { 'x-api-key': demo.operatorKey }, trader]) {
    const values = new Map<string, string>();
    eachObject(await readAll(caller, known), (key, fields) => {
      seen.add(key.split(' ')[0] ?? '');
      for (const [name, value] of Object.entries(fields)) {
        const told = JSON.stringify(value);
        const before = values.get(`${key}.${name}`) ?? told;
        values.set(`${key}.${name}`, told);
        if (before !== told) conflicts.push(`${key}.${name}: ${before}, ${told}`);
      }
    });
  }
  expect(conflicts).toEqual([]);
  // The reading reached what it is about: without this it could find no conflict because it found nothing.
  for (const type of [
    'Operation',
    'Series',
    'Tranche',
    'Asset',
    'CreditBatch',
    'Receivable',
    'ApiKey',
    'Operator',
    'Profile',
  ])
    expect([...seen]).toContain(type);
});
