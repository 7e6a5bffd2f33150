import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { revertImport } from '../../shared/import/revert.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { importTexts, record, wholePatrimony } from '../../subgraphs/tokenization/import/tests/kit.js';
import { documentAt } from '../kit/as-of.js';
import { operator, testContext, testKeyRing } from '../kit/context.js';
import type { Json } from '../kit/import.js';
import { openTokenizationGraph } from './graph.js';

const cnpj = '11.222.333/0001-81';
const cpf = '529.982.247-25';

/** Names of debtors by the external id of their asset, as they are shown to anyone before all corrections. */
const shownThen = {
  // A natural person who was recorded under a CNPJ; the second with an external id that is not plain.
  'PERSON-1': 'Luana Dias Oliveira',
  'PÉ–2': 'Luana Prado',
  // A company that was recorded under a CPF.
  'FIRM-3': 'I. C.',
  'FIRM-4': 'Jatobá Comércio',
  // Imported by mistake, and taken back.
  'GONE-5': 'Luana Reis',
  // An individual entrepreneur, whose company was recorded by the bare name first.
  'SOLO-6': 'Luana Melo',
  // Found by no tax id, though versions keep the texts of their time.
  'TAX-***.***.*47-25': 'Angico Ltda.',
};

const before = '2026-11-20T15:00:00.000Z';

const context = () => testContext({ manager: graph.dataSource.manager, clock: graph.clock, principal: operator });

const asset = (externalId: string, debtorName: string, debtorDocument: string): Json =>
  record('assets', { externalId, debtorName, debtorDocument, paymentHistory: [record('installments')] });

async function importAt(now: string, assets: readonly Json[], correct?: string): Promise<string> {
  graph.clock.set(now);
  const report = await importTexts(context(), { 'estate.json': wholePatrimony({ assets }) }, { correct });
  expect(report.errors).toEqual([]);
  return report.importId ?? '';
}

interface Shown {
  readonly externalId: string;
  readonly debtorName: string;
}

const byExternalId = (rows: readonly Shown[]) =>
  Object.fromEntries(rows.map(({ externalId, debtorName }) => [externalId, debtorName]));

/** What each list shows at a moment, or now; `search` narrows those that have one. */
const lists: Readonly<Record<string, (at: string | null, search?: string) => Promise<readonly Shown[]>>> = {
  assets: async (at, search = '') => {
    const document = `query ($search: String) { assets(first: 20, filter: { search: $search }, AT) { totalCount nodes { externalId debtorName } } }`;
    const { assets } = await graph.data(documentAt(document, at), { search });
    const { nodes, totalCount } = assets as { nodes: Shown[]; totalCount: number };
    expect(totalCount).toBe(nodes.length);
    return nodes;
  },
};

/** What the fields without a search show at a moment. */
const fields: Readonly<Record<string, (at: string | null) => Promise<readonly Shown[]>>> = {
  ...lists,
  asset: async (at) => {
    const read = Object.values(ids).map(async (id) => {
      const document = `query ($id: ID!) { asset(id: $id, AT) { externalId debtorName } }`;
      return (await graph.data(documentAt(document, at), { id }))['asset'] as Shown | null;
    });
    return (await Promise.all(read)).flatMap((one) => one ?? []);
  },
  'patrimonies.assets, by the moment of the estates': async (at) => {
    const { patrimonies } = await graph.data(
      documentAt('{ patrimonies(AT) { nodes { assets { nodes { externalId debtorName } } } } }', at),
    );
    return (patrimonies as { nodes: { assets: { nodes: Shown[] } }[] }).nodes.flatMap(({ assets }) => assets.nodes);
  },
  'patrimony.assets, by a moment of its own': async (at) => {
    const { patrimony } = await graph.data(
      documentAt('{ patrimony(ticker: "PAT-AURORA") { assets(AT) { nodes { externalId debtorName } } } }', at),
    );
    return (patrimony as { assets: { nodes: Shown[] } }).assets.nodes;
  },
};

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
await importAt('2026-11-18T15:00:00Z', [
  asset('PERSON-1', 'Luana Dias Oliveira', cnpj),
  asset('PÉ–2', 'Luana Prado', cnpj),
  asset('FIRM-3', 'Ipê Comércio', cpf),
  asset('FIRM-4', 'Jatobá Comércio', cnpj),
  asset('SOLO-6', 'Luana Melo', cnpj),
  asset('TAX-52998224725', 'Angico Ltda.', cnpj),
]);
// As a program of before wrote it.
await graph.dataSource.query(
  `UPDATE tokenization.assets SET search_text = 'tax 52998224725 angico ltda' WHERE external_id = 'TAX-52998224725'`,
);
const mistake = await importAt('2026-11-19T15:00:00Z', [asset('GONE-5', 'Luana Reis', cnpj)]);
const rows = await graph.dataSource.query<{ id: string; name: string }[]>(
  'SELECT id, external_id AS name FROM tokenization.assets',
);
const ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
graph.clock.set(before);
for (const read of Object.values(fields)) expect(byExternalId(await read(null))).toEqual(shownThen);
await importAt(
  '2026-11-21T15:00:00Z',
  [
    asset('PERSON-1', 'Luana Dias Oliveira', cpf),
    asset('PÉ–2', 'Luana Prado', cpf),
    asset('FIRM-3', 'Ipê Comércio', cnpj),
    asset('SOLO-6', 'Luana Melo 52998224725', cnpj),
    asset('TAX-52998224725', 'Angico Comércio Ltda.', cnpj),
  ],
  'Documento trocado',
);
const reverted = await revertImport(context(), [tokenizationImport], mistake, { reason: 'Crédito de outro' });
expect(reverted.errors).toEqual([]);
graph.clock.set('2026-11-22T15:00:00Z');

describe.each(Object.entries(fields))('%s', (_name, read) => {
  test('shows a whole name of the past only where the debtor was a legal person then and is one now', async () => {
    expect(byExternalId(await read(before))).toEqual({
      'PERSON-1': 'L. D. O.',
      'PÉ–2': 'L. P.',
      'FIRM-3': 'I. C.',
      'FIRM-4': 'Jatobá Comércio',
      'GONE-5': 'L. R.',
      'SOLO-6': 'L. M.',
      'TAX-***.***.*47-25': 'Angico Ltda.',
    });
  });

  test('shows in the present who is recorded as what now', async () => {
    expect(byExternalId(await read(null))).toEqual({
      'PERSON-1': 'L. D. O.',
      'PÉ–2': 'L. P.',
      'FIRM-3': 'Ipê Comércio',
      'FIRM-4': 'Jatobá Comércio',
      'SOLO-6': 'L. M.',
      'TAX-***.***.*47-25': 'Angico Comércio Ltda.',
    });
  });
});

describe.each(Object.entries(lists))('a search of %s', (_name, read) => {
  const found = async (search: string, at: string | null = before) => Object.keys(byExternalId(await read(at, search)));

  test('finds nobody of the past by a name that is not shown', async () => {
    for (const search of [
      'luana',
      'LUANA DIAS',
      'oliveira',
      'person-1 luana',
      'prado',
      'ipe',
      'reis',
      'melo',
      '52998224725',
      '529',
    ])
      expect([search, await found(search)]).toEqual([search, []]);
  });

  test('finds the past by external ids, and by the names of who was and is a legal person', async () => {
    expect(await found('person-1')).toEqual(['PERSON-1']);
    expect(await found('pé–2')).toEqual(['PÉ–2']);
    expect(await found('gone 5')).toEqual(['GONE-5']);
    expect((await found('firm')).sort()).toEqual(['FIRM-3', 'FIRM-4']);
    expect(await found('comercio')).toEqual(['FIRM-4']);
    expect(await found('jatobá 4')).toEqual(['FIRM-4']);
    expect(await found('solo')).toEqual(['SOLO-6']);
    expect(await found('tax angico')).toEqual(['TAX-***.***.*47-25']);
  });

  test('finds in the present who is a legal person now', async () => {
    expect((await found('comercio', null)).sort()).toEqual(['FIRM-3', 'FIRM-4', 'TAX-***.***.*47-25']);
    expect(await found('52998224725', null)).toEqual([]);
    expect(await found('luana', null)).toEqual([]);
  });
});

test('an operator sees every name of the past whole', async () => {
  const document = parse(documentAt('{ assets(AT) { nodes { externalId debtorName } } }', before));
  const { data } = await createExecutor(graph.schema, testKeyRing).execute({ document }, context());
  const { 'TAX-***.***.*47-25': angico, ...others } = shownThen;
  expect(byExternalId((data as unknown as { assets: { nodes: Shown[] } }).assets.nodes)).toEqual({
    ...others,
    'TAX-52998224725': angico,
    'FIRM-3': 'Ipê Comércio',
  });
});

test('a page of the past takes as many queries as a single asset of it', async () => {
  const page = (first: number) =>
    graph.countQueries(() =>
      graph.data(documentAt(`{ assets(first: ${first}, AT) { nodes { debtorName } } }`, before)),
    );
  // What a process learns once.
  await page(1);
  expect(await page(5)).toBe(await page(1));
});
