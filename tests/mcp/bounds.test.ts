import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { addCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { newTrader, plenty, tradingCallerOf } from '../trading/kit.js';
import { connect } from './kit.js';

interface Entry {
  readonly name: string;
  readonly inputSchema: JsonSchema & { readonly required: string[]; readonly properties: Record<string, JsonSchema> };
}

const { tools } = JSON.parse(readFileSync(new URL('../../mcp/tools.json', import.meta.url), 'utf8')) as {
  tools: Entry[];
};
// The schema as any caller reads it.
const ajv = new Ajv2020({ allowUnionTypes: true });
formats.default(ajv);

const uuid = '0190b1a0-0000-7000-8000-00000000000c';

let platform: TestPlatform;
let agent: Client;
let trader: Client;
/** A valid value for each argument that a tool requires, by its name, or by the names of the tool and the argument. */
let valid: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  platform = await openTestPlatform({ ...plenty, DEMO: 'true' }, { background: false });
  const file = await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
  const { publicApiKey } = JSON.parse(file) as { publicApiKey: string };
  agent = await connect(platform.url, { 'X-API-Key': publicApiKey });
  const { companyId } = await newTrader(platform.infrastructure.context);
  const reader = { companyId, scopes: ['read'], allowedNetworks: null, expiresAt: null } as const;
  const credential = await addCredential(platform.infrastructure.context, reader);
  const { headers } = await tradingCallerOf(platform).session({ credential });
  trader = await connect(platform.url, headers);
  const first = async (name: string, pattern: RegExp) => pattern.exec(await textOf(name, {}))?.[1];
  const series = await first('listar_series', /"ticker":"([^"]+)"/);
  valid = {
    ticker: await first('listar_operacoes', /"ticker":"([^"]+)"/),
    tickers: ['A'],
    'obter_cronograma.ticker': series,
    'obter_historico_pu.ticker': series,
    'obter_serie.ticker': series,
    mercado: 'BTC/BRL',
    moeda: 'BRL',
    de: '2026-10-01T00:00:00-03:00',
    // A version belongs to a month.
    month: '2026-09',
  };
});

afterAll(async () => {
  await Promise.all([agent.close(), trader.close()]);
  await platform.close();
});

/** What a tool says; one of trading to the company that trades. */
async function textOf(name: string, given: Readonly<Record<string, unknown>>): Promise<string> {
  const ask = async (client: Client) => {
    const { content } = await client.callTool({ name, arguments: given });
    return (content as { text: string }[]).map(({ text }) => text).join('\n');
  };
  const text = await ask(agent);
  return text.includes('check the credential') ? ask(trader) : text;
}

/** Values at the bounds of a schema, and those one beyond. */
function casesOf(schema: JsonSchema): { readonly inside: unknown[]; readonly beyond: unknown[] } {
  const { items, minItems = 0, maxItems, minimum, maximum, maxLength, format, pattern } = schema;
  const types = [schema.type].flat();
  if (schema.enum !== undefined) return { inside: schema.enum, beyond: ['~'] };
  if (types.includes('integer')) {
    if (minimum === undefined || maximum === undefined) throw new Error('A number needs both bounds');
    return { inside: [minimum, maximum], beyond: [minimum - 1, maximum + 1] };
  }
  if (types.includes('array')) {
    if (maxItems === undefined || items === undefined) throw new Error('A list needs a maximum');
    const list = (length: number) =>
      Array.from({ length }, (_, index) => items.enum?.[index % items.enum.length] ?? `A${index}`);
    return {
      inside: [list(minItems), list(maxItems)],
      beyond: [list(maxItems + 1), ...(minItems > 0 ? [list(minItems - 1)] : [])],
    };
  }
  if (format === 'uuid')
    return { inside: [uuid, uuid.toUpperCase()], beyond: [`urn:uuid:${uuid}`, `{${uuid}}`, uuid.slice(1)] };
  if (format === 'date')
    return { inside: ['0001-01-01', '9999-12-31'], beyond: ['0000-12-31', '2026-02-30', '10000-01-01'] };
  if (format === 'date-time')
    return {
      inside: ['2026-11-01T00:00:00Z', '2026-11-01T23:59:59.123456789-03:00'],
      beyond: [
        '2026-11-01t00:00:00Z',
        '2026-11-01T00:00:00z',
        '2026-11-01T23:59:60Z',
        '2026-11-01 00:00:00Z',
        '2026-11-01T00:00:00',
        '0000-11-01T00:00:00Z',
        '2026-11-01T00:00:00.1234567890Z',
      ],
    };
  if (pattern !== undefined) return { inside: ['2026-09'], beyond: ['2026-13'] };
  if (types.includes('boolean')) return { inside: [true, false], beyond: ['no'] };
  if (maxLength === undefined) throw new Error('A text needs a maximum');
  return { inside: ['a'.repeat(maxLength)], beyond: ['a'.repeat(maxLength + 1)] };
}

const places = tools.flatMap(({ name, inputSchema }) =>
  Object.entries(inputSchema.properties).map(([argument, schema]) => ({ name, argument, schema, inputSchema })),
);
/** Texts that are to be those of the server: its cursors, and the currencies of its ledger. */
const isOpaque = (argument: string, { type }: JsonSchema) =>
  argument === 'moeda' || (argument.startsWith('cursor') && [type].flat().includes('string'));

test.each(places)(
  '$name takes $argument within its bounds and not beyond',
  async ({ name, argument, schema, inputSchema }) => {
    const given = [...inputSchema.required, ...(argument === 'versao' ? ['month'] : [])];
    const others = Object.fromEntries(given.map((one) => [one, valid[`${name}.${one}`] ?? valid[one] ?? uuid]));
    const fits = ajv.compile(inputSchema);
    const { inside, beyond } = casesOf(schema);
    const named = `- ${argument}`;
    for (const value of inside) {
      const all = { ...others, [argument]: value };
      expect([value, fits(all)]).toEqual([value, true]);
      if (!isOpaque(argument, schema))
        expect([value, await textOf(name, all)]).toEqual([value, expect.not.stringContaining(named)]);
    }
    for (const value of beyond) {
      const all = { ...others, [argument]: value };
      expect([value, fits(all)]).toEqual([value, false]);
      expect(await textOf(name, all)).toContain(named);
    }
  },
);
