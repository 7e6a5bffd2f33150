import { afterAll, expect, test } from '@jest/globals';
import { fixedClock } from '../kit/clock.js';
import { newId } from '../../shared/kernel/ids.js';
import { importDomains } from '../../bootstrap/imports.js';
import { record, wholeOperation } from '../../subgraphs/issuances/import/tests/kit.js';
import { wholePatrimony } from '../../subgraphs/tokenization/import/tests/kit.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';
import { callerOf } from '../accounts/http.js';
import { recordedByClock } from '../kit/as-of.js';
import { testContext } from '../kit/context.js';
import { openTestPlatform } from '../kit/platform.js';
import { importTextsInto, printed } from '../kit/import.js';
import { newOperator } from '../kit/operator.js';
import { addCredit, addEstate, addInstalment, addSeries, calendarOf } from '../tokenization/series/kit.js';

type Headers = Record<string, string>;

const clock = fixedClock('2026-11-20T15:00:00Z');
const platform = await openTestPlatform(
  { RATE_LIMIT_PUBLIC: '100000', RATE_LIMIT_API_KEY: '100000' },
  { clock, background: false },
);
const caller = callerOf(platform);
const { manager } = platform.infrastructure.dataSource;
const operator = { ...(await newOperator(platform.infrastructure.context)).headers };
const session = await caller.member('ana@casa.example');
const { body } = await caller.post('/v1/emissoes/keys', { name: 'teste' }, session);
const apiKey = { 'x-api-key': (body as { key: string }).key };

const { estate, series, credit } = await recordedByClock(platform.infrastructure.context, async (tx) => {
  await addSeries(tx.manager, await addEstate(tx.manager, 'JEQ'), 'JEQ-S1');
  const estate = await addEstate(tx.manager, 'IPE');
  const series = await addSeries(tx.manager, estate, 'IPE-S1', { policy_version: 3, invested_amount: '500000' });
  await addInstalment(tx.manager, series, 1, '2026-12-02', '100');
  const credit = await addCredit(tx.manager, estate, 'IPE-001', ['2026-12-10'], {
    debtor_name: 'Ipê S.A.',
    debtor_document: '11222333000181',
  });
  await repriceAll(tx, { calendar: await calendarOf(manager) });
  return { estate, series, credit };
});
const operatorContext = () => testContext({ manager, clock });
const report = await importTextsInto(operatorContext(), importDomains, {
  'a.json': wholeOperation({
    onchainContracts: [],
    contracts: [record('contracts', { positions: [record('contractPositions')] })],
  }),
});
expect(printed(report)).toEqual([]);
/** When everything stands that these tests begin with. */
const moment = clock.now().toISOString();
afterAll(() => platform.close());

const asset = 'id externalId status currentBalance createdAt paymentHistory { nodes { amount status } }';
const trancheFields = `id ticker name status unitPrice pricedOn missingInput stale totalValue investedAmount
  unitPrices(last: 3) { nodes { date unitPrice } } schedule(first: 3) { nodes { dueDate totalValue status } }`;
const estateFields = `id ticker name slug createdAt trancheCount assetCount totalIssued tranches { ${trancheFields} } assets(first: 3) { nodes { ${asset} } }`;
const operationFields =
  'ticker name reportMonths volume series { ticker unitPrices(last: 3) { nodes { date value } } }';

const documents = (at: string) => {
  const all = at && `, ${at}`;
  return [
    `{ tranches(first: 3${all}) { totalCount nodes { ${trancheFields} patrimony { ticker } } } }`,
    `{ tranche(ticker: "IPE-S1"${all}) { ${trancheFields} } }`,
    `{ patrimonies(first: 3${all}) { totalCount nodes { ${estateFields} } } }`,
    `{ patrimony(ticker: "ipe"${all}) { ${estateFields} } }`,
    `{ assets(filter: { search: "ipe" }, first: 3${all}) { totalCount nodes { ${asset} patrimony { ticker } } } asset(id: "${credit}"${all}) { ${asset} } }`,
    `{ operations(first: 3${all}) { totalCount nodes { ${operationFields} } } operation(ticker: "CRI-AURORA-1"${all}) { ${operationFields} } }`,
  ];
};

/** Everything that a reader gets who asks everywhere, by what was asked. */
async function published(): Promise<Record<string, string>> {
  clock.advance(10 * 60_000);
  const told: Record<string, string> = {};
  const keep = (name: string, { status, body }: { status: number; body: unknown }) => {
    told[name] = `${String(status)} ${JSON.stringify(body)}`;
  };
  const paths = [
    '/public/tranches',
    '/public/tranches?patrimonyTicker=IPE',
    '/public/tranches/IPE-S1/details',
    '/public/tranches/IPE-S1/payment-schedule',
    '/public/patrimonies',
    '/public/assets',
    '/public/assets?search=ipe',
    `/public/assets/${credit}`,
    '/public/assets/summary',
  ];
  for (const path of paths) keep(path, await caller.send('GET', path));
  const operation = '/v1/emissoes/operacoes';
  const own = [
    '',
    '/CRI-AURORA-1',
    '/CRI-AURORA-1/relatorio-mensal/meses',
    '/CRI-AURORA-1/relatorio-mensal?month=2026-10',
  ];
  for (const path of own) keep(path || 'cards', await caller.send('GET', `${operation}${path}`, undefined, apiKey));
  for (const [index, document] of [...documents(''), ...documents(`asOf: "${moment}"`)].entries()) {
    const reply = await caller.graphql(document, undefined, apiKey);
    expect(reply.body).not.toHaveProperty('errors');
    keep(`query ${String(index)}`, reply);
  }
  for (const name of ['listar_series', 'listar_patrimonios', 'listar_ativos', 'listar_operacoes'])
    keep(name, await tool(name));
  return Object.fromEntries(Object.entries(told).map(([name, text]) => [name, steady(text)]));
}

function tool(name: string) {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  return caller.post('/v1/emissoes/mcp', call, { ...apiKey, accept: 'application/json, text/event-stream' });
}

/** Without moments at which a response was made, and ids of requests. */
function steady(text: string): string {
  return text.replace(/\\?"(generatedAt|requestId|updatedAt)\\?":\\?"[^"\\]*\\?"/g, '');
}

async function act(text: string): Promise<{ readonly id?: string; readonly error?: string }> {
  const { body } = await caller.graphql(`mutation { act: ${text} { id } }`, undefined, operator);
  const { data, errors } = body as { data?: { act?: { id: string } | null }; errors?: { message: string }[] };
  return {
    ...(data?.act == null ? {} : { id: data.act.id }),
    ...(errors === undefined ? {} : { error: errors[0]?.message ?? '' }),
  };
}
const withdraw = (kind: string, ...names: string[]) =>
  act(`voidRecord(kind: "${kind}", names: ${JSON.stringify(names)}, reason: "published by mistake")`);
const revert = (id: string | undefined) => act(`revertImport(id: "${id ?? ''}", reason: "it was right")`);

const count = async (sql: string): Promise<number> => {
  const [row] = await manager.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${sql}`);
  return row?.n ?? 0;
};

test.each([
  ['series with prices', ['tranches', 'IPE', 'IPE-S1'], ['IPE-S1']],
  ['estate of such a series', ['patrimonies', 'IPE'], ['IPE', 'Ipê', 'ipe']],
  ['operation with final reports', ['operations', 'CRI-AURORA-1'], ['AURORA']],
] as const)(
  'a %s that is withdrawn is shown to nobody in any way, and comes back as it was',
  async (_, [kind, ...names], gone) => {
    const before = await published();
    for (const name of gone) expect(JSON.stringify(before)).toContain(name);
    // The same then as now, when it is asked for by the moment.
    expect([before['query 7'], before['query 11']]).toEqual([before['query 1'], before['query 5']]);
    const prices = await count('tokenization.unit_prices');
    const { id, error } = await withdraw(kind, ...names);
    expect(error).toBeUndefined();
    const without = await published();
    // What was asked for is no part of what is said.
    for (const [asked, said] of Object.entries(without))
      for (const name of gone) expect([asked, said]).toEqual([asked, expect.not.stringContaining(name)]);
    await repriceAll(platform.infrastructure.context, { calendar: await calendarOf(manager) });
    expect(await count('tokenization.unit_prices')).toBe(prices);
    expect(await revert(id)).toEqual({ id: expect.any(String) });
    expect(await published()).toEqual(before);
  },
);

test('what is withdrawn by two at once goes once, and its name is kept for it', async () => {
  const both = await Promise.all([withdraw('patrimonies', 'IPE'), withdraw('patrimonies', 'IPE')]);
  expect(both.map(({ error }) => error)).toEqual(expect.arrayContaining([undefined, 'There is no patrimony IPE']));
  const id = both.find((one) => one.id !== undefined)?.id;
  const again = wholePatrimony({ ticker: 'NEU', slug: 'ipe', assets: [], tranches: [] });
  expect(printed(await importTextsInto(operatorContext(), importDomains, { 'p.json': again }))).toEqual([
    `p.json:1 slug is "ipe", which is reserved for a patrimony that was withdrawn by the import ${id ?? ''}: revert that import (revertImport), or use another name`,
  ]);
  const { id: operation } = await withdraw('operations', 'CRI-AURORA-1');
  const other = wholeOperation({ onchainContracts: [] });
  expect(printed(await importTextsInto(operatorContext(), importDomains, { 'o.json': other }))).toEqual(
    expect.arrayContaining([
      expect.stringContaining('"CRI-AURORA-1", which is reserved'),
      expect.stringContaining('"AURORA1S1", which is reserved'),
    ]),
  );
  for (const one of [operation, id]) expect((await revert(one)).error).toBeUndefined();
});

test('credits of originators go with their estate once none of them is open, and come back; other domains receive both', async () => {
  const assigned = await addCredit(manager, estate, 'IPE-001', ['2026-11-10'], {
    originator_id: newId(),
    debtor_name: 'Ipê',
  });
  expect((await withdraw('patrimonies', 'IPE')).error).toContain(
    'The estate IPE has 1 open credits that originators assigned',
  );
  await manager.query(
    `UPDATE tokenization.assets SET status = 'SETTLED', current_balance = 0, paid_installments = 1, next_due_date = NULL WHERE id = $1`,
    [assigned],
  );
  const before = await published();
  const { id, error } = await withdraw('patrimonies', 'IPE');
  expect(error).toBeUndefined();
  expect(JSON.stringify(await published())).not.toContain(assigned);
  expect((await revert(id)).error).toBeUndefined();
  expect(await published()).toEqual(before);
  const told = await manager.query<{ status: string }[]>(
    `SELECT payload ->> 'status' AS status FROM shared.outbox WHERE topic = 'patrimony.registered' AND key = $1 ORDER BY position DESC LIMIT 2`,
    [estate],
  );
  expect(told).toEqual([{ status: 'ACTIVE' }, { status: 'CLOSED' }]);
});

test('a series whose tokens somebody holds is not withdrawn; one that nobody holds is, and its operator sees the contract still', async () => {
  const address = `0x${'Ab'.repeat(20)}`;
  const collection = newId();
  await manager.query(
    `INSERT INTO tokenization.collections (id, tranche_id, chain_id, network, address, deployed_block, scanned_block, created_at)
     VALUES ($1, $2, 137, 'Polygon', $3, 1, 10, now())`,
    [collection, series, address],
  );
  await manager.query('INSERT INTO tokenization.token_ranges VALUES ($1, 1, 7, $2)', [collection, address]);
  expect((await withdraw('tranches', 'IPE', 'IPE-S1')).error).toBe(
    `There are holders of 7 tokens of the series IPE-S1 (contract ${address}): have the tokens destroyed first, or close the series instead`,
  );
  await manager.query('DELETE FROM tokenization.token_ranges');
  const contracts = async (headers: Headers) => {
    const text = '{ contracts: developerContracts { count items { address trancheTicker } } }';
    const { body } = await caller.graphql(text, undefined, headers);
    return (body as { data: { contracts: unknown } }).data.contracts;
  };
  const { id, error } = await withdraw('tranches', 'IPE', 'IPE-S1');
  expect(error).toBeUndefined();
  expect(await contracts(operator)).toEqual({ count: 1, items: [{ address, trancheTicker: 'IPE-S1' }] });
  const reader = await caller.member('dev@casa.example');
  expect(await contracts(reader)).toEqual({ count: 0, items: [] });
  expect((await revert(id)).error).toBeUndefined();
  expect(await contracts(reader)).toMatchObject({ count: 1 });
});
