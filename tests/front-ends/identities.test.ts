import './development.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from '../../docs/front-ends/apollo-type-policies.js';
import { keys } from '../../docs/front-ends/graphcache-keys.js';
import { identities } from '../../docs/front-ends/identities.js';
import { expectNoConsole, written } from './console.js';
import { openHouse, screen, type Credential, type Data, type House } from './kit.js';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());
expectNoConsole();

const named = new Map(identities);

function objectTypes(): GraphQLObjectType[] {
  const roots = new Set<unknown>([
    house.schema.getQueryType(),
    house.schema.getMutationType(),
    house.schema.getSubscriptionType(),
  ]);
  return Object.values(house.schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !roots.has(type) && !type.name.startsWith('__'));
}

describe('the published keys', () => {
  test('name every type without an id, for both clients, and no type that does not exist', () => {
    const types = objectTypes();
    const without = types.filter((type) => type.getFields()['id'] === undefined).map(({ name }) => name);
    expect(without.filter((name) => keys[name] === undefined || typePolicies[name]?.keyFields === undefined)).toEqual(
      [],
    );
    const known = new Set(types.map(({ name }) => name));
    expect([...named.keys()].filter((name) => !known.has(name))).toEqual([]);
    for (const [name, fields] of named) {
      const all = Object.keys(types.find((type) => type.name === name)?.getFields() ?? {});
      expect(all).toEqual(expect.arrayContaining([...fields]));
    }
  });

  test('know the types of every union and interface', () => {
    const abstract = Object.values(house.schema.getTypeMap()).filter(isAbstractType);
    expect(possibleTypes).toEqual(
      Object.fromEntries(
        abstract.map((type) => [type.name, house.schema.getPossibleTypes(type).map(({ name }) => name)]),
      ),
    );
  });

  test('give the same key in both clients to an object with an identity of its own, and none without all fields of it', () => {
    const cache = new InMemoryCache({ possibleTypes, typePolicies });
    for (const [name, fields] of named) {
      const object = Object.fromEntries(fields.map((field) => [field, `value of ${field}`]));
      const key = keys[name]?.({ __typename: name, ...object }) ?? null;
      expect(key === null).toBe(fields.length === 0);
      expect(cache.identify({ __typename: name, ...object }) === undefined).toBe(fields.length === 0);
      expect(keys[name]?.({ __typename: name }) ?? null).toBeNull();
    }
  });
});

test('without the published keys both clients write warnings, which these tests would see', async () => {
  const { Client, fetchExchange } = await import('@urql/core');
  const { cacheExchange } = await import('@urql/exchange-graphcache');
  const fetchOptions = { headers: house.credential };
  const client = new Client({
    url: house.url,
    exchanges: [cacheExchange(), fetchExchange],
    fetchOptions,
    preferGetMethod: false,
  });
  await client.query(screen('Webhooks'), {}, { requestPolicy: 'network-only' }).toPromise();
  expect(written.filter(([level]) => level === 'warn').length).toBeGreaterThan(0);
  written.length = 0;
  const cache = new InMemoryCache();
  const read = (data: Data) => ({ webhooks: { __typename: 'Webhooks', ...data } });
  cache.writeQuery({ query: parse('{ webhooks { count } }'), data: read({ count: 1 }) });
  cache.writeQuery({
    query: parse('{ webhooks { items { url } } }'),
    data: read({ items: [{ url: 'https://a.example/' }] }),
  });
  expect(written.length).toBeGreaterThan(0);
  written.length = 0;
});

/** Values of arguments, by their names. */
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
  const fields = Object.values(house.schema.getQueryType()?.getFields() ?? {});
  const documents = fields.flatMap((field) => {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || field.name.endsWith('Corrections')) return [];
    const texts = known.map((given) => argumentsOf(field, given)).filter((text) => text !== undefined);
    return [...new Set(texts)].map((text) => `{ ${field.name}${text} ${selectionOf(type, 3, [type.name])} }`);
  });
  const found: Data[] = [];
  for (const document of documents) {
    const data = await house.ask(document, {}, credential).catch(() => undefined);
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
  const fields = named.get(type);
  const values = fields === undefined ? [id] : fields.map((field) => (value as Data)[field]);
  if (values.length > 0 && values.every((part) => typeof part === 'string')) {
    const plainFields = entries.filter(([name, inner]) => !uses.has(name) && !hasObject(inner));
    see(`${type} ${values.join(' ')}`, Object.fromEntries(plainFields));
  }
  for (const [, inner] of entries) eachObject(inner, see);
}

const hasObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasObject) : typeof value === 'object' && value !== null;

test('an object has the same values wherever a caller finds it', async () => {
  const { ask, credential, demo, webhooks } = house;
  const text = `{ operations(first: 2) { nodes { ticker } } tranches(first: 2) { nodes { ticker } } creditBatches(first: 3) { nodes { id patrimonyId } }
    settlementBatches(first: 2) { nodes { id } } assets(first: 2) { nodes { id externalId patrimonyId } } }`;
  const lists = Object.values(await ask(text, {}, credential)) as { nodes: Arguments[] }[];
  const known: Arguments[] = [
    {},
    ...lists.flatMap(({ nodes }) => nodes),
    ...webhooks.map((id) => ({ id })),
    { synthetic: true },
  ];
  const { tradingLogin } = await ask(
    'mutation ($apiKey: String!, $secretKey: String!) { tradingLogin(apiKey: $apiKey, secretKey: $secretKey) { accessToken } }',
    demo.trading,
  );
  const trader = { authorization: `Bearer ${(tradingLogin as { accessToken: string }).accessToken}` };
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
    'WebhookDelivery',
    'ApiKey',
    'Operator',
    'Profile',
  ])
    expect([...seen]).toContain(type);
});
