import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  buildSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { Client } from 'pg';
import { openResponses, type Fields, type Headers } from '../rest/response-kit.js';

/** A field with `asOf`, the document that reads it, and the credential for it. */
interface PastDocument {
  readonly name: string;
  readonly text: string;
  readonly headers: Headers;
}

/** The moments from the year 1 to now, those where something begins among them. */
const moments = fc.oneof(
  fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date(), noInvalidDate: true }),
  fc.date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date(), noInvalidDate: true }),
);
const always = ['0001-01-01T00:00:00.000Z', '1999-06-01T00:00:00.000Z', '2000-01-01T12:00:00.000Z'];

/** Where the fields of a type are read; `#` stands for them. */
const places: Readonly<Record<string, string>> = {
  Query: '{ # }',
  Operation: '{ operations(first: 3) { nodes { # } } }',
  Series: '{ series(first: 3) { nodes { # } } }',
  SeriesReturn: '{ series(first: 3) { nodes { priceReturn(from: "2026-01-02") { # } } } }',
  Patrimony: '{ patrimonies(first: 3) { nodes { # } } }',
  Tranche: '{ tranches(first: 3) { nodes { # } } }',
  Asset: '{ assets(first: 3) { nodes { # } } }',
};

/** The names of one of each thing, for the arguments that a field requires. */
async function argumentsOf(): Promise<(field: string, argument: string) => string> {
  const found = await kit.operate(`{ operations(first: 1) { nodes { ticker } } tranches(first: 1) { nodes { ticker } }
    patrimonies(first: 1) { nodes { id ticker } } assets(first: 1) { nodes { id } } }`);
  const first = (name: string, field: string) => {
    const [node] = (found[name] as { nodes: Fields[] }).nodes;
    return JSON.stringify(node?.[field]);
  };
  const tranche = first('tranches', 'ticker');
  const ofOne: Readonly<Record<string, string>> = {
    'cdiReturns.first': '4',
    'patrimony.ticker': first('patrimonies', 'ticker'),
    'paymentSchedule.ticker': tranche,
    'tranche.ticker': tranche,
  };
  const ofAll: Readonly<Record<string, string>> = {
    ticker: first('operations', 'ticker'),
    tickers: `[${first('operations', 'ticker')}]`,
    patrimonyId: first('patrimonies', 'id'),
    id: first('assets', 'id'),
    from: '"2026-01-02"',
    to: '"2026-01-05"',
  };
  return (field, argument) => {
    const value = ofOne[`${field}.${argument}`] ?? ofAll[argument];
    if (value === undefined) throw new Error(`The test has no value for ${argument} of ${field}`);
    return value;
  };
}

/** All fields below a type that need no arguments, as deep as is said. */
function selection(type: GraphQLCompositeType, depth: number): string {
  if (isUnionType(type))
    return `{ __typename ${type
      .getTypes()
      .map((one) => `... on ${one.name} ${renamed(one, depth)}`)
      .join(' ')} }`;
  return renamed(type, depth, '');
}

/** The fields of a type, under names of its own where alternatives may be at odds. */
function renamed(
  type: Exclude<GraphQLCompositeType, { getTypes: unknown }>,
  depth: number,
  prefix = type.name,
): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (field.args.some(isRequiredArgument) || (isCompositeType(inner) && depth === 0)) return [];
    const alias = prefix === '' ? '' : `${prefix}_${field.name}: `;
    return [`${alias}${field.name}${isCompositeType(inner) ? ` ${selection(inner, depth - 1)}` : ''}`];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

function* fieldsAsOf(schema: GraphQLSchema): Generator<{ type: string; field: GraphQLField<unknown, unknown> }> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      if (field.args.some(({ name }) => name === 'asOf')) yield { type: type.name, field };
  }
}

async function documentsOf(): Promise<PastDocument[]> {
  const schema = buildSchema(await (await fetch(`${kit.platform.url}/schema.graphql`)).text());
  const valueOf = await argumentsOf();
  return [...fieldsAsOf(schema)].map(({ type, field }) => {
    const place = places[type];
    if (place === undefined) throw new Error(`The test reads nothing of ${type}`);
    const required = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: ${valueOf(field.name, name)}`);
    const inner = getNamedType(field.type);
    const fields = isCompositeType(inner) ? selection(inner, 2) : '';
    const text = place.replace('#', `${field.name}(${[...required, 'asOf: $asOf'].join(', ')}) ${fields}`);
    const headers = kit.credentials[field.name === 'balances' ? 'trader' : 'operator'];
    return { name: `${type}.${field.name}`, text: `query ($asOf: DateTime!) ${text}`, headers };
  });
}

/** The errors of all fields at a moment, but for 404: what is asked for did not exist. */
async function errorsAt(asOf: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, text, headers } of documents) {
    const { status, body } = await kit.caller.graphql(text, { asOf }, headers);
    const { errors = [] } = body as { errors?: { extensions: { statusCode: number } }[] };
    const others = errors.filter(({ extensions }) => extensions.statusCode !== 404);
    if (others.length > 0 || status !== 200) found.push(`${name} ${status} ${JSON.stringify(others).slice(0, 300)}`);
  }
  return found;
}

const kit = await openResponses({ GRAPHQL_MAX_COST: '10000000', GRAPHQL_MAX_TOKENS: '100000' });
const documents: readonly PastDocument[] = await documentsOf();
afterAll(() => kit.close());

test.each(always)('a moment before anything was recorded has empty lists: %s', async (asOf) => {
  const lists = ['operationAlerts', 'operationPayments', 'operations', 'tranches', 'upcomingPayments'];
  const fields = lists.map((name) => `${name}(asOf: "${asOf}") { totalCount }`);
  const empty = Object.fromEntries(lists.map((name) => [name, { totalCount: 0 }]));
  expect(await kit.operate(`{ ${fields.join(' ')} }`)).toEqual(empty);
});

describe('any moment from the year 1 to now', () => {
  const everyMoment = (numRuns: number) =>
    fc.assert(
      fc.asyncProperty(
        moments.map((moment) => moment.toISOString()),
        async (asOf) => {
          expect(await errorsAt(asOf)).toEqual([]);
        },
      ),
      { numRuns, endOnFailure: true, examples: always.map((moment) => [moment]) },
    );

  test('is answered by every field that takes one', async () => {
    expect(documents.length).toBeGreaterThan(40);
    await everyMoment(6);
  });

  test('is answered too where every row existed already', async () => {
    await existAlways(kit.platform.ownerUrl);
    await everyMoment(6);
  });
});

/** Lets all rows be recorded before every moment that is read, as those are from before versions were kept. */
async function existAlways(ownerUrl: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`DO $$ DECLARE kept record; BEGIN
    FOR kept IN SELECT table_schema, table_name FROM information_schema.columns c
      WHERE column_name = 'recorded_at' AND EXISTS (SELECT FROM information_schema.tables t
        WHERE t.table_schema = c.table_schema AND t.table_name = c.table_name || '_versions')
    LOOP
      EXECUTE format('ALTER TABLE %I.%I DISABLE TRIGGER USER', kept.table_schema, kept.table_name);
      EXECUTE format('UPDATE %I.%I SET recorded_at = ''-infinity''', kept.table_schema, kept.table_name);
      EXECUTE format('ALTER TABLE %I.%I ENABLE TRIGGER USER', kept.table_schema, kept.table_name);
    END LOOP; END $$`);
  await owner.end();
}
