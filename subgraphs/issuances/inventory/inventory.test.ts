import { afterAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { addContract, addOperation, raiseRevision } from '../../../tests/issuances/fixtures.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { raiseRevision as raiseRevisionOf } from '../revision/revision.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';

const maxContracts = 60;
const secrets: string[] = [];

const document = `query ($ticker: String!, $page: Int, $limit: Int) { inventory(ticker: $ticker, page: $page, limit: $limit) {
  __typename
  ... on InventoryPage { available page limit total items { id tipo valorOriginal saldoDevedor taxa dataEmissao dataVencimento
    parcelas parcelasPagas diasAtraso faixaAtraso uf status } }
  ... on InventoryUnavailable { available reason resumo { contratos devedores saldoDevedor valorOriginal ticketMedio
    faixas { faixa contratos saldo participacao } } } } }`;

interface Page {
  readonly __typename: string;
  readonly total: number;
  readonly items: readonly Record<string, unknown>[];
}

async function read(variables: Record<string, unknown>): Promise<Page> {
  const { inventory } = await graph.data(document, { ticker: 'EST', ...variables });
  return inventory as Page;
}

/** A moment behind all that is written, and before all that comes: a moment has milliseconds, and versions microseconds. */
async function momentAfter(manager: EntityManager): Promise<string> {
  const [row] = await manager.query<{ moment: Date }[]>(
    "SELECT clock_timestamp() + interval '1 ms' AS moment, pg_sleep(0.005)",
  );
  return row?.moment.toISOString() ?? '';
}

/** Valid check digits of the CPF do not matter here, but eleven digits that can be searched for do. */
const cpf = (number: number) => String(52_998_224_000 + number);

const graph = await openTestGraph(maxContracts);
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const id = await addOperation(manager, 'EST', { slug: 'patrimonio-est' });
for (let index = 0; index < 53; index++) {
  const secret = { name: `Devedora Sigilosa ${index}`, cpf: cpf(index), external: `ORIG-${7000 + index}` };
  secrets.push(secret.name, secret.cpf, secret.external);
  secrets.push(
    await addContract(manager, id, {
      debtor_name: secret.name,
      debtor_document: secret.cpf,
      external_id: secret.external,
      // Four debtors in AC, with six credits; five in BA; the others in SP.
      uf: index < 6 ? 'AC' : index < 11 ? 'BA' : index === 11 ? null : 'SP',
      ...(index < 6 ? { debtor_document: cpf(index % 4) } : {}),
      // Six debtors at IPCA, one of whom is late.
      ...(index >= 20 && index < 26 ? { indexer: 'IPCA', rate: '8.5' } : {}),
      ...(index === 20 ? { days_late: 33, status: 'DEFAULTED' } : {}),
    }),
  );
}
await raiseRevision(manager);

describe('the inventory', () => {
  test('shows every credit exactly once, whatever the size of the pages', async () => {
    const whole = (await read({ limit: 100 })).items.map((item) => item['id']);
    expect(new Set(whole).size).toBe(53);
    for (const limit of [1, 7, 20, 53]) {
      const pages: unknown[] = [];
      for (let page = 1; page <= Math.ceil(53 / limit); page++)
        pages.push(...(await read({ page, limit })).items.map((item) => item['id']));
      expect(pages).toEqual(whole);
    }
    expect(await read({ page: 99 })).toMatchObject({ available: true, page: 99, limit: 20, total: 53, items: [] });
  });

  test('lets no name, document, external id or id of the database out, whatever the page', async () => {
    for (const limit of [1, 20, 100]) {
      for (let page = 1; page <= Math.ceil(53 / limit) + 1; page++) {
        const text = JSON.stringify(await read({ page, limit }));
        for (const secret of secrets) expect(text).not.toContain(secret);
      }
    }
  });

  test('hides a state in which fewer than five debtors live, however many credits they have', async () => {
    const { items } = await read({ limit: 100 });
    const count = (uf: string | null) => items.filter((item) => item['uf'] === uf).length;
    expect([count('AC'), count('BA'), count('SP'), count(null)]).toEqual([0, 5, 41, 7]);
  });

  test('keeps its ids when payments come, and is in no order that the data shows', async () => {
    const before = (await read({ limit: 100 })).items;
    await manager.query('UPDATE issuances.credit_contracts SET outstanding_balance = outstanding_balance + 100');
    await raiseRevision(manager);
    const after = (await read({ limit: 100 })).items;
    expect(after.map((item) => item['id'])).toEqual(before.map((item) => item['id']));
    expect(after[0]?.['saldoDevedor']).toBe('R$ 900,00 a R$ 1.000,00');
    const ids = after.map((item) => String(item['id']));
    expect(ids).toEqual(ids.toSorted());
  });

  test('is kept while only other operations change, and built again when its own credits do', async () => {
    const other = await addOperation(manager, 'VIZINHA');
    const [own = ''] = await manager.values<string>(`SELECT id FROM issuances.operations WHERE ticker = 'EST'`);
    await raiseRevision(manager);
    const change = (id: string) => inTransaction(graph.context(), (tx) => raiseRevisionOf(tx, [id]));
    const ask = () => read({ limit: 100 });
    await ask();
    const kept = await graph.countQueries(ask);
    await change(other);
    expect(await graph.countQueries(ask)).toBe(kept);
    await change(own);
    expect(await graph.countQueries(ask)).toBeGreaterThan(kept);
    expect(await graph.countQueries(ask)).toBe(kept);
  });

  test('an operation with fewer than five debtors shows neither its credits nor their sum, and says why', async () => {
    const few = await addOperation(manager, 'POUCOS');
    // Seven credits of six establishments, which belong to four companies.
    for (const establishment of ['0001', '0002', '0003'])
      await addContract(manager, few, { debtor_document: `11222333${establishment}81` });
    for (const document of ['11222333000181', cpf(1), cpf(2), cpf(3)])
      await addContract(manager, few, { debtor_document: document });
    await raiseRevision(manager);
    expect(await read({ ticker: 'POUCOS' })).toEqual({
      __typename: 'InventoryUnavailable',
      available: false,
      reason: 'A operação tem menos de 5 devedores; o estoque não é publicado, para que nenhum deles seja reconhecido',
      resumo: null,
    });
    await addContract(manager, few, { debtor_document: cpf(4), original_value: '70000' });
    await raiseRevision(manager);
    const { total, items } = await read({ ticker: 'POUCOS' });
    expect([total, new Set(items.map((item) => item['valorOriginal']))]).toEqual([
      8,
      new Set(['R$ 1.000,00 a R$ 80.000,00']),
    ]);
  });

  test('counts a person and the company of that person as one debtor, where a name says so', async () => {
    const few = await addOperation(manager, 'MEI');
    const add = (debtor_document: string, debtor_name: string) =>
      addContract(manager, few, { debtor_document, debtor_name });
    await add('52998224725', 'Luana Dias Oliveira');
    await add('11222333000181', 'LUANA DIAS OLIVEIRA 529.982.247-25');
    await add('11222333000262', 'Luana Oliveira Flores');
    for (const number of [1, 2, 3]) await add(cpf(number), 'Devedora 11 98888-7777');
    await raiseRevision(manager);
    expect(await read({ ticker: 'MEI' })).toMatchObject({ available: false });
    await add('99888777000166', 'Jatobá 52998224');
    await raiseRevision(manager);
    expect(await read({ ticker: 'MEI' })).toMatchObject({ available: true, total: 7 });
  });

  test.each<[string, (debtor: number) => string, (debtor: number) => string]>([
    ['had a tax id for each credit', (at) => cpf(100 + at), () => cpf(100)],
    ['has a tax id for each credit', () => cpf(100), (at) => cpf(100 + at)],
  ])('as of an earlier moment it counts as one debtor who %s', async (name, then, now) => {
    const ticker = name.startsWith('had') ? 'ERRADOS' : 'CERTOS';
    const wrong = await addOperation(manager, ticker);
    const ids: string[] = [];
    for (let index = 0; index < 6; index++)
      ids.push(await addContract(manager, wrong, { debtor_document: then(index), uf: 'AC' }));
    for (let index = 0; index < 6; index++)
      await addContract(manager, wrong, { debtor_document: cpf(200 + index), uf: 'SP' });
    const moment = await momentAfter(manager);
    for (const [index, contract] of ids.entries())
      await manager.query('UPDATE issuances.credit_contracts SET debtor_document = $2 WHERE id = $1', [
        contract,
        now(index),
      ]);
    await raiseRevision(manager);
    graph.clock.set(new Date(Date.parse(moment) + 60_000));
    const { inventory } = await graph.data(document.replace('limit: $limit', `limit: $limit, asOf: "${moment}"`), {
      ticker,
    });
    const { total, items } = inventory as Page;
    expect([total, new Set(items.map((item) => item['uf']))]).toEqual([12, new Set([null])]);
  });

  test('above the threshold it is added up, and still shows no one', async () => {
    const moment = await momentAfter(manager);
    for (let index = 53; index <= maxContracts; index++) {
      await addContract(manager, id, { debtor_document: cpf(index), outstanding_balance: '900', uf: 'SP' });
    }
    await raiseRevision(manager);
    const answer = await read({});
    expect(answer).toMatchObject({
      __typename: 'InventoryUnavailable',
      available: false,
      reason: 'A operação tem mais de 60 contratos; o estoque é publicado de forma agregada',
      resumo: { contratos: 61, devedores: 59, saldoDevedor: 'R$ 54.900,00', ticketMedio: 'R$ 900,00' },
    });
    for (const secret of secrets) expect(JSON.stringify(answer)).not.toContain(secret);
    // Nor does a query of the time when there were fewer show them one by one.
    graph.clock.set(new Date(Date.parse(moment) + 60_000));
    const then = document.replace('limit: $limit', `limit: $limit, asOf: "${moment}"`);
    const { inventory } = await graph.data(then, { ticker: 'EST' });
    expect(inventory).toMatchObject({
      __typename: 'InventoryUnavailable',
      available: false,
      resumo: { contratos: 53 },
    });
  });
});
