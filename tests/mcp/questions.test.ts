import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addDays } from '../../shared/kernel/calendar/days.js';
import { civilDate } from '../../shared/kernel/clock.js';
import { fixedClock } from '../kit/clock.js';
import { Decimal, sum } from '../../shared/kernel/decimal.js';
import { overdueUntil } from '../../subgraphs/securities/payments.js';
import { calendarOf } from '../tokenization/series/kit.js';
import { connect, countedFetch, openDemoPlatform } from './kit.js';

/** What an agent may spend on a question: calls, and bytes of their responses. */
const mostCalls = 3;
const mostBytes = 20_000;
let spent = { calls: 0, bytes: 0 };

// Time stands still, so that the questions and the tools that answer them have the same day.
const clock = fixedClock(new Date());
const day = civilDate(clock.now());
const { platform, key } = await openDemoPlatform({}, { clock });
const client = await connect(platform.url, key, { send: countedFetch((count) => (spent.bytes += count)) });

afterAll(async () => {
  await client.close();
  await platform.close();
});
beforeEach(() => {
  spent = { calls: 0, bytes: 0 };
});

/** Calls a tool as an agent does: it reads the text of the result. */
async function call<T>(name: string, given: Record<string, unknown> = {}): Promise<T> {
  spent.calls += 1;
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [{ text }] = content as [{ text: string }];
  if (isError === true) throw new Error(text);
  return JSON.parse(text) as T;
}

function expectThrift(): void {
  expect(spent.calls).toBeLessThanOrEqual(mostCalls);
  expect(spent.bytes).toBeLessThanOrEqual(mostBytes);
}

const rows = <Row extends object>(statement: string, values: unknown[] = []) =>
  platform.infrastructure.context.manager.rows<Row>(statement, values);

async function rest<T>(path: string): Promise<T> {
  const response = await fetch(`${platform.url}${path}`, { headers: key });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const decimalOf = (text: string) => new Decimal(text.replaceAll(/[^\d,-]/g, '').replace(',', '.'));

interface RestReport {
  readonly covenants: {
    readonly nome: string;
    readonly limite: string;
    readonly valor: string | null;
    readonly cumprido: boolean | null;
  }[];
  readonly aging: { readonly faixas: { readonly faixa: string; readonly contratos: number; readonly saldo: string }[] };
  readonly concentracao: { readonly maiores: { readonly devedores: number; readonly participacao: string }[] };
  readonly subordinacao: { readonly indice: string | null };
}

const reportOf = (slug: string) => rest<RestReport>(`/v1/emissoes/operacoes/${slug}/relatorio-mensal`);

test('the list of tools, which an agent reads first, is under 30 KB', async () => {
  await client.listTools();
  expect(spent.bytes).toBeLessThan(30_000);
});

describe("an analyst's question is answered within 3 calls and 20 KB:", () => {
  test('which operations have overdue payments or breached covenants, and by how much?', async () => {
    const { alerts, totals, nextCursor } = await call<{
      alerts: {
        kind: string;
        operationTicker: string;
        title: string;
        dueDate: string | null;
        amount: string | null;
        covenant: { value: string; threshold: string; comparison: string; excess: string } | null;
      }[];
      totals: { breachedCovenants: number; overduePayments: number; overdueAmount: string };
      nextCursor: string | null;
    }>('listar_alertas', { tipos: ['covenant_breached', 'payment_overdue'] });
    expectThrift();

    expect(nextCursor).toBeNull();
    const operations = await rows<{ ticker: string; slug: string }>(
      'SELECT ticker, slug FROM issuances.operations WHERE is_public',
    );
    const reports = await Promise.all(
      operations.map(async ({ ticker, slug }) => ({ ticker, ...(await reportOf(slug)) })),
    );
    const breached = reports.flatMap(({ ticker, covenants }) =>
      covenants
        .filter(({ cumprido }) => cumprido === false)
        .map(({ nome, valor, limite }) => {
          const excess = decimalOf(valor ?? '')
            .minus(decimalOf(limite))
            .abs();
          return `${ticker} ${nome} ${excess.toFixed(4)}`;
        }),
    );
    expect(breached.length).toBeGreaterThan(0);
    const told = alerts.flatMap(({ operationTicker, title, covenant }) =>
      covenant === null ? [] : [`${operationTicker} ${title} ${covenant.excess}`],
    );
    expect(told.sort()).toEqual(breached.sort());
    expect(totals.breachedCovenants).toBe(breached.length);

    const details = await Promise.all(
      operations.map(async ({ ticker, slug }) => ({
        ticker,
        ...(await rest<{ pagamentos: { status: string; totalValue: string | null }[] }>(
          `/v1/emissoes/operacoes/${slug}`,
        )),
      })),
    );
    const overdue = details.flatMap(({ pagamentos }) => pagamentos.filter(({ status }) => status === 'OVERDUE'));
    expect(overdue.length).toBeGreaterThan(0);
    expect([totals.overduePayments, totals.overdueAmount]).toEqual([
      overdue.length,
      sum(overdue.flatMap(({ totalValue }) => (totalValue === null ? [] : [decimalOf(totalValue)]))).toFixed(2),
    ]);
  });

  test('which instalments of tokenized series are overdue, by how many days and how much?', async () => {
    // The last payment of each series that is in force was not made.
    await platform.infrastructure.context.manager.query(
      `UPDATE tokenization.schedule_entries AS entry SET status = 'PENDING', paid_on = NULL
       FROM (SELECT DISTINCT ON (tranche_id) tranche_id, installment_number
             FROM tokenization.schedule_entries JOIN tokenization.tranches AS tranche ON tranche.id = tranche_id
             WHERE tranche.status = 'ACTIVE' AND schedule_entries.status = 'PAID' AND total_value > 0
             ORDER BY tranche_id, installment_number DESC) AS last
       WHERE entry.tranche_id = last.tranche_id AND entry.installment_number = last.installment_number`,
    );
    const { tokenizedSeries, totals } = await call<{
      tokenizedSeries: {
        totals: { count: number; totalValue: string };
        overdue: { trancheTicker: string; dueDate: string; daysLate: number; totalValue: string | null }[];
        nextCursor: string | null;
      };
      totals: { overduePayments: number };
    }>('listar_alertas');
    expectThrift();

    const expected = await rows<{ trancheTicker: string; daysLate: number; totalValue: string }>(
      `SELECT ticker AS "trancheTicker", $1::date - due_date AS "daysLate", schedule_entries.total_value::text AS "totalValue"
       FROM tokenization.schedule_entries JOIN tokenization.tranches AS tranche ON tranche.id = tranche_id
       WHERE schedule_entries.status <> 'PAID' AND due_date <= $2`,
      [day, overdueUntil(day, await calendarOf(platform.infrastructure.context.manager))],
    );
    expect(expected.length).toBeGreaterThan(1);
    expect(tokenizedSeries.overdue).toHaveLength(expected.length);
    expect(tokenizedSeries.overdue).toEqual(
      expect.arrayContaining(expected.map((one) => expect.objectContaining(one) as unknown)),
    );
    expect(tokenizedSeries.totals).toMatchObject({
      count: expected.length,
      totalValue: sum(expected.map(({ totalValue }) => totalValue)).toFixed(2),
    });
    expect(tokenizedSeries.nextCursor).toBeNull();
    expect(totals.overduePayments).toBeGreaterThan(0);
  });

  test('what falls due in the next 30 days, in total and for each operation?', async () => {
    const ate = addDays(day, 30);
    const result = await call<{
      total: number;
      totals: { count: number; totalValue: string };
      byOperation: { operationTicker: string; count: number; totalValue: string | null }[];
    }>('listar_proximos_pagamentos', { ate });
    expectThrift();

    const expected = await rows<{ operationTicker: string; count: number; totalValue: string | null }>(
      `SELECT operation.ticker AS "operationTicker", count(*)::int AS count, sum(coalesce(total_value, projected_total))::text AS "totalValue"
       FROM issuances.payments AS payment JOIN issuances.operations AS operation ON operation.id = operation_id
       WHERE is_public AND due_date BETWEEN $1 AND $2 GROUP BY operation.ticker`,
      [day, ate],
    );
    expect(expected.length).toBeGreaterThan(1);
    const brief = result.byOperation.map(({ operationTicker, count, totalValue }) => ({
      operationTicker,
      count,
      totalValue,
    }));
    expect(brief).toHaveLength(expected.length);
    expect(brief).toEqual(expect.arrayContaining(expected));
    expect(new Decimal(result.totals.totalValue)).toEqual(sum(expected.flatMap(({ totalValue }) => totalValue ?? [])));
    expect(result.total).toBe(expected.reduce((count, one) => count + one.count, 0));
  });

  test('how do three CRIs compare in remuneration, maturity and subordination?', async () => {
    const found = await call<{ cards: { ticker: string; href: string }[] }>('listar_operacoes', {
      tipo: 'cri',
      limite: 3,
    });
    const tickers = found.cards.map(({ ticker }) => ticker);
    const { operations, unknownTickers } = await call<{
      operations: {
        ticker: string;
        remuneration: string;
        maturityDate: string | null;
        report: { subordination: { index: string | null } };
      }[];
      unknownTickers: string[];
    }>('comparar_operacoes', { tickers });
    expectThrift();

    expect([operations.map(({ ticker }) => ticker), unknownTickers]).toEqual([tickers, []]);
    for (const [index, { remuneration, maturityDate, report }] of operations.entries()) {
      const slug = found.cards[index]?.href.split('/').at(-1) ?? '';
      const detail = await rest<{ remuneracao: string; dataVencimentoRaw: string | null }>(
        `/v1/emissoes/operacoes/${slug}`,
      );
      expect([remuneration, maturityDate]).toEqual([detail.remuneracao, detail.dataVencimentoRaw]);
      const { indice } = (await reportOf(slug)).subordinacao;
      expect(report.subordination.index === null ? null : new Decimal(report.subordination.index)).toEqual(
        indice === null ? null : decimalOf(indice),
      );
    }
  });

  test('what is the unit price of an operation today, and what was it 30 days ago?', async () => {
    // Long enough for a business day to be among them at Carnival too.
    const de = addDays(day, -40);
    const result = await call<{
      precificacao: { ticker: string; atual: { valorRaw: string; dataRaw: string } }[];
      historicoPrecos: { ticker: string; historico: { valorRaw: string; dataRaw: string }[] }[];
    }>('obter_operacao', { ticker: 'CRI-AURORA', secoes: ['precos', 'historicoPrecos'], de, ate: addDays(day, -30) });
    expectThrift();

    expect(result.precificacao).not.toHaveLength(0);
    for (const [index, { ticker, atual }] of result.precificacao.entries()) {
      const then = result.historicoPrecos[index]?.historico.at(-1);
      const prices = await rows<{ date: string; value: string }>(
        `SELECT date::text, value::text FROM issuances.unit_prices JOIN issuances.series ON series.id = series_id
         WHERE ticker = $1 AND date <= $2 ORDER BY unit_prices.date DESC`,
        [ticker, day],
      );
      expect([atual.dataRaw, new Decimal(atual.valorRaw)]).toEqual([
        prices[0]?.date,
        new Decimal(prices[0]?.value ?? ''),
      ]);
      const old = prices.find(({ date }) => date <= addDays(day, -30));
      expect([then?.dataRaw, new Decimal(then?.valorRaw ?? 0)]).toEqual([old?.date, new Decimal(old?.value ?? 0)]);
    }
  });

  test('which series pay CDI plus more than 3.5 %?', async () => {
    const { cards, total } = await call<{
      cards: { series: { ticker: string; indexador: string; taxa: string }[] }[];
      total: number;
    }>('listar_operacoes', { limite: 200 });
    expectThrift();

    expect(cards).toHaveLength(total);
    const found = cards
      .flatMap(({ series }) => series)
      .filter(({ indexador, taxa }) => indexador === 'CDI' && new Decimal(taxa).greaterThan('3.5'))
      .map(({ ticker }) => ticker);
    const expected = await rows<{ ticker: string }>(
      `SELECT series.ticker FROM issuances.series JOIN issuances.operations AS operation ON operation.id = operation_id
       WHERE is_public AND indexer = 'CDI' AND rate > 3.5`,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(found.sort()).toEqual(expected.map(({ ticker }) => ticker).sort());
  });

  test('who are the largest debtors of an operation, and how much is more than 90 days late?', async () => {
    const { numeros } = await call<{
      numeros: {
        concentration: { largest: { debtors: number; share: string }[] };
        agingOver90: { contracts: number; balance: string };
      };
    }>('obter_relatorio_mensal', { ticker: 'CRI-AURORA', secoes: ['aging', 'concentracao'], numeros: true });
    expectThrift();

    const { aging, concentracao } = await reportOf('cri-residencial-aurora');
    const late = aging.faixas.filter(({ faixa }) =>
      ['91-120', '121-150', '151-180', '181-360', '360+'].includes(faixa),
    );
    expect(late).toHaveLength(5);
    expect(numeros.agingOver90).toMatchObject({
      contracts: late.reduce((count, { contratos }) => count + contratos, 0),
      balance: sum(late.map(({ saldo }) => decimalOf(saldo))).toFixed(2),
    });
    expect(numeros.concentration.largest.map(({ debtors, share }) => [debtors, new Decimal(share)])).toEqual(
      concentracao.maiores.map(({ devedores, participacao }) => [devedores, decimalOf(participacao)]),
    );
  });

  test('which contracts are on chains?', async () => {
    interface Contracts {
      readonly total: number;
      readonly contratos: readonly { readonly address: string }[];
    }
    const { seriesTokenizadas, ...operations } = await call<Contracts & { seriesTokenizadas: Contracts }>(
      'listar_contratos_token',
    );
    expectThrift();

    const addresses = ({ contratos }: Contracts) => contratos.map(({ address }) => address).sort();
    const of = async (table: string) =>
      (await rows<{ address: string }>(`SELECT address FROM ${table}`)).map(({ address }) => address).sort();
    expect(addresses(operations)).toEqual(
      await of(
        'issuances.onchain_contracts JOIN issuances.operations AS operation ON operation.id = operation_id WHERE is_public',
      ),
    );
    expect(addresses(seriesTokenizadas)).toEqual(await of('tokenization.collections'));
    expect(operations.total).toBeGreaterThan(0);
  });

  test('which documents were published since a day?', async () => {
    const all = await rows<{ name: string; ticker: string; day: string }>(
      `SELECT document.name, ticker, (document.created_at AT TIME ZONE 'America/Sao_Paulo')::date::text AS day
       FROM issuances.documents AS document JOIN issuances.operations AS operation ON operation.id = operation_id
       WHERE document.is_public AND operation.is_public AND ticker = 'CRI-AURORA' ORDER BY document.created_at DESC, document.id`,
    );
    const de = all.at(Math.floor(all.length / 2))?.day ?? '';
    const { documents } = await call<{ documents: { name: string }[] }>('obter_operacao', {
      ticker: 'cri-residencial-aurora',
      secoes: ['documentos'],
      de,
    });
    expectThrift();

    const since = all.filter((document) => document.day >= de);
    expect(since.length).toBeLessThan(all.length);
    expect(documents.map(({ name }) => name)).toEqual(since.map(({ name }) => name));
  });

  test('how is delinquency distributed over estates, types and statuses?', async () => {
    const { grupos } = await call<{
      grupos: { patrimonyTicker: string; type: string; status: string; count: number; currentBalance: string }[];
    }>('resumo_ativos', { agruparPor: ['patrimony', 'type', 'status'] });
    expectThrift();

    const expected = await rows<object>(
      `SELECT patrimony.ticker AS "patrimonyTicker", asset.type, asset.status, count(*)::int AS count,
         sum(current_balance)::text AS "currentBalance"
       FROM tokenization.assets AS asset JOIN tokenization.patrimonies AS patrimony ON patrimony.id = patrimony_id
       GROUP BY patrimony.ticker, asset.type, asset.status`,
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(grupos).toHaveLength(expected.length);
    expect(grupos).toEqual(expect.arrayContaining(expected.map((group) => expect.objectContaining(group) as unknown)));
  });

  test('from which inputs is the unit price of a tokenized series computed?', async () => {
    const { items } = await call<{ items: { ticker: string; indexer: string; status: string }[] }>('listar_series', {
      status: 'active',
      limite: 100,
    });
    const ticker = items.find(({ indexer }) => indexer === 'IPCA')?.ticker ?? '';
    const { unitPrices, inputs } = await call<{
      unitPrices: {
        items: {
          date: string;
          unitPrice: string;
          baseValue: string;
          indexFactor: string;
          interestFactor: string;
          nominalValue: string;
          interestJ: string;
        }[];
      };
      inputs: { date: string; provenance: { indexMonths: { number: { value: string } | null }[] } }[];
    }>('obter_historico_pu', { ticker, limite: 1, formula: true });
    expectThrift();

    const price = unitPrices.items.at(-1);
    expect(inputs.map(({ date }) => date)).toEqual([price?.date]);
    const [stored] = await rows<{ date: string; unitPrice: string }>(
      `SELECT price.date::text, price.unit_price::text AS "unitPrice"
       FROM tokenization.unit_prices AS price JOIN tokenization.tranches AS tranche ON tranche.id = price.tranche_id
       WHERE ticker = $1 ORDER BY price.date DESC, price.version DESC LIMIT 1`,
      [ticker],
    );
    expect(price).toMatchObject(stored ?? { date: 'none' });
    // The formula: clean price = base value × index factor, price = clean price × interest factor (less than a millionth lost to rounding).
    const {
      baseValue = '0',
      indexFactor = '0',
      interestFactor = '0',
      nominalValue = '0',
      unitPrice = '0',
    } = price ?? {};
    const clean = new Decimal(baseValue).times(indexFactor);
    expect(clean.minus(nominalValue).abs().lessThan('0.000001')).toBe(true);
    expect(clean.times(interestFactor).minus(unitPrice).abs().lessThan('0.00001')).toBe(true);
    expect(inputs[0]?.provenance.indexMonths.length).toBeGreaterThan(0);
  });
});
