import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { civilDate } from '../../shared/kernel/clock.js';
import { createRecordReader } from '../../shared/import/read/csv-records.js';
import { recordAssetPayment } from '../../subgraphs/tokenization/assets/assets.acts.js';
import { callerOf } from '../accounts/http.js';
import { raiseRevision } from '../issuances/fixtures.js';
import { openTestPlatform } from '../kit/platform.js';
import { newOperator } from '../kit/operator.js';

/** The operations of the demo whose credits are public assets too: each with its estate. */
const targets = [
  ['CRI-AURORA', 'PAT-AURORA'],
  ['CRA-CITRUS', 'PAT-CITRUS'],
  ['DEB-RODOVIA', 'PAT-RODOVIA'],
] as const;
const fewestDebtors = 5;

type Row = Readonly<Record<string, string | null>>;

/** A public asset, with what an attacker concludes from its instalments. */
interface Asset {
  readonly id: string;
  readonly externalId: string;
  readonly status: string;
  readonly debtorName: string;
  readonly originalValue: string;
  readonly currentBalance: string;
  readonly interestRate: string;
  readonly installments: number;
  readonly paidInstallments: number;
  readonly nextDueDate: string | null;
  readonly finalDueDate: string;
  readonly paymentHistory: { readonly nodes: readonly { readonly dueDate: string }[] };
}

const limits = { RATE_LIMIT_PUBLIC: '100000', RATE_LIMIT_API_KEY: '100000', RATE_LIMIT_ACCOUNTS: '1000' };
const platform = await openTestPlatform({ DEMO: 'true', ...limits }, { background: false });
const caller = callerOf(platform);
const session = await caller.member('attacker@example.com');
const { body } = await caller.post('/v1/emissoes/keys', { name: 'planilha' }, session);
const key = { 'x-api-key': (body as { key: string }).key };
const rows = await platform.infrastructure.dataSource.query<{ id: string; debtor: string }[]>(
  'SELECT id, debtor_document AS debtor FROM tokenization.assets',
);
/** Who owes each asset, which no attacker knows: to judge what the attack found. */
const debtorOf = new Map(rows.map(({ id, debtor }) => [id, debtor]));
/** The day that what is published of the credits is of: operations of credits taken in since have a later one. */
const [{ positionDate } = { positionDate: '' }] = await platform.infrastructure.dataSource.query<
  { positionDate: string }[]
>(
  `SELECT max(position_date)::text AS "positionDate" FROM issuances.credit_contracts contract
     JOIN issuances.operations operation ON operation.id = contract.operation_id WHERE operation.ticker = ANY ($1)`,
  [targets.map(([ticker]) => ticker)],
);
afterAll(() => platform.close());

async function readInventory(ticker: string): Promise<Row[]> {
  const response = await fetch(`${platform.url}/v1/emissoes/operacoes/${ticker}/estoque`, {
    headers: { ...key, accept: 'text/csv' },
  });
  expect(response.status).toBe(200);
  const [names = [], ...lines] = createRecordReader(';')
    .end(await response.text())
    .map((record) => ('cells' in record ? [...record.cells] : []));
  return lines.map((cells) =>
    Object.fromEntries(
      names.map((name, at) => [name, cells[at] === undefined || cells[at] === '' ? null : cells[at].replace(/^'/, '')]),
    ),
  );
}

/** All assets of an estate, with the due days of their instalments. */
async function readAssets(patrimony: string, headers?: Record<string, string>): Promise<Asset[]> {
  const assets: Asset[] = [];
  let after: string | null = null;
  const { body } = await caller.graphql('query ($ticker: String!) { patrimony(ticker: $ticker) { id } }', {
    ticker: patrimony,
  });
  const { id } = (body as { data: { patrimony: { id: string } } }).data.patrimony;
  do {
    const reply = await caller.graphql(
      `query ($id: ID!, $after: String) { assets(filter: { patrimonyId: $id }, first: 40, after: $after) {
        nodes { id externalId status debtorName originalValue currentBalance interestRate installments paidInstallments
          nextDueDate finalDueDate paymentHistory(first: 2) { nodes { dueDate } } } pageInfo { endCursor hasNextPage } } }`,
      { id, after },
      headers,
    );
    const page = (reply.body as { data?: { assets: { nodes: Asset[]; pageInfo: Record<string, unknown> } } }).data;
    if (page === undefined) throw new Error(JSON.stringify(reply.body));
    assets.push(...page.assets.nodes);
    after = page.assets.pageInfo['hasNextPage'] === true ? String(page.assets.pageInfo['endCursor']) : null;
  } while (after !== null);
  return assets;
}

/** The numbers of a display text, in plain notation; a cell of a file may hold a plain one. */
function numbersOf(text: string): number[] {
  if (/^\d+\.\d{2}$/.test(text)) return [Number(text)];
  return (text.match(/\d[\d.,]*/g) ?? []).map((part) => Number(part.replaceAll('.', '').replace(',', '.')));
}

/** Whether a value may be what a text says: from the first number to below the second, or to it where ends are included. */
function fits(text: string | null | undefined, value: number, ends: 'OPEN' | 'INCLUDED'): boolean {
  if (text == null) return true;
  const [from = 0, to] = numbersOf(text);
  if (to === undefined) return text.endsWith('ou mais') ? value >= from : value === from;
  return value >= from && (ends === 'OPEN' ? value < to : value <= to);
}

function fitsDate(text: string | null | undefined, day: string): boolean {
  if (text == null) return true;
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const exact = /^(\d{2})\/(\d{4})$/.exec(text);
  if (exact !== null) return month === Number(exact[1]) && year === Number(exact[2]);
  const half = /^([12])º semestre de (\d{4})$/.exec(text);
  if (half !== null) return Math.ceil(month / 6) === Number(half[1]) && year === Number(half[2]);
  return fits(text, year, 'INCLUDED');
}

const labels: Readonly<Record<string, string>> = {
  ACTIVE: 'Ativo',
  SETTLED: 'Liquidado',
  DEFAULTED: 'Inadimplente',
  WRITTEN_OFF: 'Baixado',
};

/** The instalments begin one interval after the credit. */
function issueOf({ paymentHistory }: Asset): string {
  const months = paymentHistory.nodes
    .slice(0, 2)
    .map(({ dueDate }) => Number(dueDate.slice(0, 4)) * 12 + Number(dueDate.slice(5, 7)) - 1);
  const [first = 0, second = first + 1] = months;
  const issue = first - (second - first);
  return `${String(Math.floor(issue / 12))}-${String((issue % 12) + 1).padStart(2, '0')}`;
}

function daysLateOf({ nextDueDate }: Asset): number {
  if (nextDueDate === null) return 0;
  return Math.max(0, Math.round((Date.parse(positionDate) - Date.parse(nextDueDate)) / 86_400_000));
}

/** Whether everything that is public of an asset agrees with a row of the inventory. */
function agrees(row: Row, asset: Asset): boolean {
  return (
    fits(row['valorOriginal'], Number(asset.originalValue), 'OPEN') &&
    fits(row['saldoDevedor'], Number(asset.currentBalance), 'OPEN') &&
    fits(row['taxa'], Number(asset.interestRate), 'OPEN') &&
    fits(row['parcelas'], asset.installments, 'INCLUDED') &&
    fits(row['parcelasPagas'], asset.paidInstallments, 'INCLUDED') &&
    fits(row['diasAtraso'], daysLateOf(asset), 'INCLUDED') &&
    fitsDate(row['dataEmissao'], issueOf(asset)) &&
    fitsDate(row['dataVencimento'], asset.finalDueDate) &&
    (row['status'] == null || row['status'] === labels[asset.status])
  );
}

function attack(rows: readonly Row[], assets: readonly Asset[]): ReadonlyMap<string, readonly Asset[]> {
  const found = new Map<string, readonly Asset[]>();
  return new Map(
    rows.map((row) => {
      const fields = JSON.stringify({ ...row, id: null });
      if (!found.has(fields))
        found.set(
          fields,
          assets.filter((asset) => agrees(row, asset)),
        );
      return [row['id'] ?? '', found.get(fields) ?? []];
    }),
  );
}

const debtorsOf = (assets: readonly Asset[]) => new Set(assets.map(({ id }) => debtorOf.get(id))).size;

describe.each(targets)('who joins the inventory of %s with the assets of %s', (operation, patrimony) => {
  let rows: Row[];
  let assets: Asset[];

  beforeAll(async () => {
    rows = await readInventory(operation);
    assets = await readAssets(patrimony);
  });

  test('has the same credits in both, which their exact values would distinguish', () => {
    expect(rows).toHaveLength(assets.length);
    const exact = assets.map((asset) => `${asset.originalValue} ${asset.interestRate} ${String(asset.installments)}`);
    expect(new Set(exact).size).toBeGreaterThan(0.95 * assets.length);
  });

  test('finds no row that is of fewer than five debtors', () => {
    expect(rows).not.toHaveLength(0);
    for (const [id, found] of attack(rows, assets)) expect([id, debtorsOf(found) >= fewestDebtors]).toEqual([id, true]);
  });

  test('reads the same by page and by GraphQL', async () => {
    const names = Object.keys(rows[0] ?? {});
    const { body } = await caller.send('GET', `/v1/emissoes/operacoes/${operation}/estoque?limit=60`, undefined, key);
    const page = body as { total: number; items: Row[] };
    expect(page.total).toBe(rows.length);
    expect(page.items.map(({ id }) => id)).toEqual(rows.slice(0, 60).map(({ id }) => id));
    const query = `{ inventory(ticker: "${operation}", limit: 60) { ... on InventoryPage { items { ${names.join(' ')} } } } }`;
    const graph = (await caller.graphql(query, {}, key)).body as { data: { inventory: { items: Row[] } } };
    expect(graph.data.inventory.items).toEqual(page.items);
  });
});

test('a payment that is recorded in both shows in the rows of no debtor or of five, who stay as unknown as before', async () => {
  const [operation, patrimony] = targets[0];
  const { manager } = platform.infrastructure.dataSource;
  const [before, assets] = [await readInventory(operation), await readAssets(patrimony)];
  // The one that is paid off: it has the fewest instalments left.
  const left = (asset: Asset) => asset.installments - asset.paidInstallments;
  const [paid, late] = assets.filter(({ status }) => status === 'ACTIVE').sort((one, other) => left(one) - left(other));
  if (paid === undefined || late === undefined) throw new Error('Nobody pays');
  const day = civilDate(platform.infrastructure.context.clock.now());
  for (let number = paid.paidInstallments + 1; number <= paid.installments; number += 1)
    await recordAssetPayment(platform.infrastructure.context, paid.id, number, day);
  const change = `UPDATE issuances.credit_contracts SET`;
  await manager.query(
    `${change} outstanding_balance = 0, paid_installments = installments, status = 'SETTLED', days_late = 0 WHERE external_id = $1`,
    [paid.externalId],
  );
  await manager.query(`${change} days_late = 400, status = 'DEFAULTED' WHERE external_id = $1`, [late.externalId]);
  await raiseRevision(manager);
  const [after, assetsAfter] = [await readInventory(operation), await readAssets(patrimony)];
  expect(assetsAfter.find(({ id }) => id === paid.id)?.status).toBe('SETTLED');
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const changed = after.filter((row, at) => JSON.stringify(row) !== JSON.stringify(before[at]));
  expect(changed.length).toBeGreaterThanOrEqual(fewestDebtors);
  // The asset `late` is late only in the inventory: it is told of by its other values.
  const [then, now] = [
    attack(before, assets),
    attack(
      changed,
      assetsAfter.filter(({ id }) => id !== late.id),
    ),
  ];
  for (const { id } of changed) {
    const still = new Set((now.get(id ?? '') ?? []).map((asset) => asset.id));
    const both = (then.get(id ?? '') ?? []).filter((asset) => still.has(asset.id) || asset.id === late.id);
    expect([id, debtorsOf(both) >= fewestDebtors]).toEqual([id, true]);
  }
});

test('no view of the assets names a natural person, and no search finds one by its name', async () => {
  const people = await platform.infrastructure.dataSource.query<{ id: string; name: string; text: string }[]>(
    `SELECT id, debtor_name AS name, search_text AS text FROM tokenization.assets WHERE length(debtor_document) = 11
       AND debtor_name <> 'Não informado'`,
  );
  const surnames = new Set(people.map(({ name }) => name.split(' ').at(-1) ?? ''));
  expect(surnames.size).toBeGreaterThan(50);
  const csv = await fetch(`${platform.url}/public/assets`, { headers: { accept: 'text/csv' } });
  const texts = [await csv.text(), JSON.stringify(await readAssets('PAT-AURORA'))];
  const [{ id, name } = { id: '', name: '' }] = people;
  const json = await caller.send('GET', `/public/assets/${id}`);
  texts.push(JSON.stringify(json.body), JSON.stringify((await caller.send('GET', '/public/assets?limit=100')).body));
  for (const text of texts) {
    expect(text).toMatch(/[A-Z]\. [A-Z]\. [A-Z]\./);
    for (const surname of surnames) expect([surname, text.includes(` ${surname}`)]).toEqual([surname, false]);
  }
  for (const word of name.split(' ')) {
    const { body } = await caller.send('GET', `/public/assets?search=${encodeURIComponent(word)}`);
    expect([word, (body as { total: number }).total]).toEqual([word, 0]);
  }
  const { headers } = await newOperator(platform.infrastructure.context, ['read']);
  const known = (await readAssets('PAT-AURORA', headers)).find((asset) => asset.id === id);
  expect(known?.debtorName ?? name).toBe(name);
  expect((await caller.graphql(`{ asset(id: "${id}") { debtorName } }`, {}, headers)).body).toEqual({
    data: { asset: { debtorName: name } },
  });
  expect((await caller.graphql(`{ asset(id: "${id}") { debtorName } }`, {}, key)).body).not.toEqual({
    data: { asset: { debtorName: name } },
  });
});
