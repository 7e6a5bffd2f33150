import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { loadCalendar } from '../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../shared/kernel/decimal.js';
import { createIssuances } from '../../subgraphs/issuances/subgraph.js';
import { issuancesImport } from '../../subgraphs/issuances/import/domain.js';
import { kinds as issuancesKinds } from '../../subgraphs/issuances/import/model/kinds.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { kinds as tokenizationKinds } from '../../subgraphs/tokenization/import/model/kinds.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';
import { operator, testContext, testKeyRing } from '../kit/context.js';
import { exampleOf, importTextsInto, printed, type Json } from '../kit/import.js';
import { revertImport } from '../../shared/import/revert.js';
import { voidRecord } from '../../shared/import/void.js';
import { newId } from '../../shared/kernel/ids.js';
import { until } from '../kit/until.js';
import { openTokenizationGraph } from '../tokenization/graph.js';
import { assignedCredit } from '../tokenization/series/kit.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { dataSource, clock } = graph;
const issuances = await createIssuances({ config: { inventoryMaxContracts: 5000 }, keyRing: testKeyRing, dataSource });
const operations = createExecutor(issuances.schema, testKeyRing);
const calendar = await loadCalendar(dataSource.manager);
const context = () => testContext({ manager: dataSource.manager, clock, principal: operator });
beforeEach(async () => {
  await graph.empty();
  await graph.asOwner('TRUNCATE issuances.operations, issuances.estate_slugs, shared.outbox CASCADE');
});

const record = (name: string, changes: Json): Json => {
  const kind = [...issuancesKinds, ...tokenizationKinds].find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return exampleOf(kind, changes);
};

const series = (changes: Json = {}) =>
  record('series', {
    ticker: 'ONE1',
    status: 'Ativa',
    issueDate: '2026-03-02',
    maturityDate: '2027-03-02',
    unitValue: '1000.00',
    quantity: 1000,
    issuedTotal: null,
    subscribedQuotas: null,
    ...changes,
  });
const operation = (changes: Json = {}) =>
  record('operations', {
    ticker: 'CRI-ONE',
    slug: 'cri-one',
    href: '/emissoes/cri-one',
    emissionDate: '2026-03-02',
    maturityDate: '2027-03-02',
    series: [series()],
    ...changes,
  });

const schedule = [4, 5, 6].map((month, at) => ({
  installmentNumber: at + 1,
  calculationDate: `2026-0${String(month)}-02`,
  dueDate: calendar.following(`2026-0${String(month)}-02`),
  interestEvent: 'PAID',
  amortizationPercentage: at === 2 ? '100' : '10',
}));
const estate = (tranche: Json = {}, changes: Json = {}) =>
  record('patrimonies', {
    ticker: 'PAT-ONE',
    slug: 'pat-one',
    operationTicker: 'CRI-ONE',
    status: 'ACTIVE',
    tranches: [
      record('tranches', {
        ticker: 'TK1',
        status: 'ACTIVE',
        seriesTicker: 'ONE1',
        tokenQuantity: 1000,
        remunerationStartDate: '2026-03-02',
        issueValue: '1000.00',
        dayCount: 'BUS252',
        rate: '12',
        indexer: 'NONE',
        diPercentage: null,
        diLagBusinessDays: null,
        indexLagMonths: null,
        indexAnniversaryDay: null,
        indexProRata: null,
        indexBase: null,
        schedulePolicy: null,
        schedule,
        ...tranche,
      }),
    ],
    ...changes,
  });

const importInto = async (domain: typeof issuancesImport, file: Json | string, options = {}) => {
  const name = typeof file === 'string' ? 'file.csv' : 'file.json';
  return importTextsInto(context(), [domain], { [name]: file }, options);
};
const imported = async (domain: typeof issuancesImport, file: Json | string, options = {}) => {
  expect(printed(await importInto(domain, file, options))).toEqual([]);
};

/** Lets the events reach every domain. */
const settle = () =>
  until('all that was announced, and the prices that it asks for', async () => {
    const consumers = [...graph.consumers, ...(issuances.consumers ?? [])];
    const asked = `SELECT count(*)::int AS open FROM tokenization.reprice_requests WHERE finished_at IS NULL`;
    const [{ open } = { open: 1 }] = await dataSource.manager.query<{ open: number }[]>(asked);
    return (await createRelay(context(), { consumers }).drain()) === 0 && open === 0;
  });
const price = () => repriceAll(context(), { calendar, upTo: '2026-05-20' });

const run = async (document: string) => {
  const { data, errors } = await operations.execute({ document: parse(document), variables: {} }, context());
  return { data, errors };
};
const booked = async () => {
  const { data, errors } =
    await run(`{ operation(ticker: "CRI-ONE") { series { pricing status statusLabel quantity subscribedQuotas
    unitPrices(first: 200) { nodes { date value provenance { source engineVersion version earlierValues { value } } } } }
    payments(first: 50) { nodes { installmentNumber event dueDate paidDate interestValue principalValue totalValue openValue } } } }`);
  expect(errors).toBeUndefined();
  const found = data?.['operation'] as {
    series: { pricing: string; statusLabel: string; quantity: string; unitPrices: { nodes: Price[] } }[];
    payments: {
      nodes: {
        installmentNumber: number;
        interestValue: string | null;
        totalValue: string | null;
        openValue: string | null;
        paidDate: string | null;
      }[];
    };
  };
  const [one] = found.series;
  if (one === undefined) throw new Error('There is no series');
  return { ...one, prices: one.unitPrices.nodes, payments: found.payments.nodes };
};
interface Price {
  readonly date: string;
  readonly value: string;
  readonly provenance: {
    readonly source: string;
    readonly engineVersion: number | null;
    readonly version: number;
    readonly earlierValues: readonly { readonly value: string }[];
  };
}
const enginePrices = () =>
  dataSource.manager.rows<{ date: string; value: string }>(
    `SELECT DISTINCT ON (date) date::text AS date, p.unit_price AS value FROM tokenization.unit_prices p
     JOIN tokenization.tranches t ON t.id = p.tranche_id ORDER BY date, version DESC`,
  );
const valuesOf = (prices: readonly Price[]) => prices.map(({ date, value }) => ({ date, value }));

test('prices, instalments and payments of a tranche are those of the series that it names, whichever was there first', async () => {
  await imported(issuancesImport, operation());
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  const first = await booked();
  expect(first.pricing).toBe('ENGINE');
  expect(valuesOf(first.prices)).toEqual(await enginePrices());
  expect(first.prices.every(({ provenance }) => provenance.source === 'ENGINE')).toBe(true);
  expect(first.payments.map(({ installmentNumber }) => installmentNumber)).toEqual([1, 2, 3]);
  expect(first.payments[0]?.interestValue).toMatch(/^\d+\.\d\d$/);

  await graph.asOwner('TRUNCATE issuances.operations CASCADE');
  await imported(issuancesImport, operation());
  await settle();
  expect(await booked()).toEqual(first);
});

test('a price that the engine corrects is corrected in the operation, with its version', async () => {
  await imported(issuancesImport, operation());
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  const before = (await booked()).prices.at(-1);
  clock.advance(1000);
  await imported(tokenizationImport, estate({ rate: '13' }), { correct: 'the deed says 13 %' });
  await price();
  await settle();
  const after = (await booked()).prices.find(({ date }) => date === before?.date);
  expect(after).toMatchObject({
    date: before?.date,
    provenance: { source: 'ENGINE', engineVersion: 2, version: 2, earlierValues: [{ value: before?.value }] },
  });
  expect(valuesOf((await booked()).prices)).toEqual(await enginePrices());
});

/** Does what an operator of tokenization does, and lets it reach the operation. */
const act = async (text: string) => {
  clock.advance(1000);
  const { errors } = await graph.executor.execute({ document: parse(`mutation { ${text} }`) }, context());
  expect(errors?.map(({ extensions }) => extensions['details'])).toBeUndefined();
  await settle();
};

test('what an event of a tranche pays is a payment of the operation, its premium another, and units that were redeemed are gone', async () => {
  await imported(issuancesImport, operation({ series: [series({ subscribedQuotas: 1000 })] }));
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  const before = await booked();
  await act(`declareTrancheEvent(ticker: "TK1", kind: EXTRA_AMORTIZATION, day: "2026-05-15", percent: "10", premiumRule: FLAT, premiumPercent: "2",
    reason: "AGT") { number }`);
  await act(
    'declareTrancheEvent(ticker: "TK1", kind: PARTIAL_REDEMPTION, day: "2026-05-18", quantity: "100", reason: "AGT") { number }',
  );
  const after = await booked();
  expect(after.payments.filter(({ installmentNumber }) => installmentNumber === 0)).toMatchObject([
    { event: 'Amortização extraordinária (E1)', dueDate: '2026-05-15', principalValue: '81000.00' },
    { event: 'Prêmio: Amortização extraordinária (E1)', dueDate: '2026-05-15', principalValue: null },
    { event: 'Resgate parcial (E2)', dueDate: '2026-05-18', principalValue: '72900.00' },
  ]);
  expect(after.payments.filter(({ installmentNumber }) => installmentNumber === 2)).toEqual(
    before.payments.filter(({ installmentNumber }) => installmentNumber === 2),
  );
  expect(valuesOf(after.prices)).toEqual(await enginePrices());
  expect(after.prices.at(-1)).not.toEqual(before.prices.at(-1));
  await act('recordPayment(ticker: "TK1", event: "E2", paidOn: "2026-05-18") { status }');
  expect(await booked()).toMatchObject({ quantity: '900', subscribedQuotas: '900' });
  // Earlier instalments were paid for all units, and the return of a unit knows it.
  await act('recordPayment(ticker: "TK1", installmentNumber: 1, paidOn: "2026-04-02") { status }');
  const { data } = await run(
    '{ operation(ticker: "CRI-ONE") { series { priceReturn(from: "2026-04-01", to: "2026-04-06") { paid } } } }',
  );
  const [first] = (await booked()).payments.filter(({ installmentNumber }) => installmentNumber === 1);
  const paid = new Decimal(first?.totalValue ?? 'NaN').div(1000).toFixed(8);
  expect(data).toEqual({ operation: { series: [{ priceReturn: { paid } }] } });
});

test('what is expected of payments to come is what the schedule of the tranche expects, on every list, and its yield is that of the tranche', async () => {
  await imported(issuancesImport, operation({ series: [series({ maturityDate: '2026-10-02' })] }));
  const later = ['2026-08-03', '2026-10-02'].map((day, at) => ({
    ...schedule[at],
    installmentNumber: at + 2,
    calculationDate: day,
    dueDate: day,
    amortizationPercentage: at === 1 ? '100' : '10',
  }));
  await imported(tokenizationImport, estate({ schedule: [schedule[0], ...later] }));
  await price();
  await settle();
  const withoutEvent = (await booked()).payments.at(-1);
  await act(
    'declareTrancheEvent(ticker: "TK1", kind: EXTRA_AMORTIZATION, day: "2026-09-01", percent: "10", reason: "AGT") { number }',
  );
  const amounts = 'interestValue principalValue totalValue openValue projected';
  const earns = 'yieldToMaturity { percent duration }';
  const tranche = await graph.executor.execute(
    { document: parse(`{ tranche(ticker: "TK1") { ${earns} schedule { nodes { ${amounts} } } } }`) },
    context(),
  );
  const { schedule: expected, yieldToMaturity } = tranche.data?.['tranche'] as {
    schedule: { nodes: { projected: boolean; totalValue: string }[] };
    yieldToMaturity: object;
  };
  expect(expected.nodes.filter(({ projected }) => projected)).toHaveLength(3);
  expect(expected.nodes.at(-1)?.totalValue).not.toBe(withoutEvent?.totalValue);
  const list = 'operationPayments(from: "2026-04-01", to: "2026-12-31")';
  const { data } =
    await run(`{ operation(ticker: "CRI-ONE") { series { ${earns} } payments(first: 50) { nodes { ${amounts} } } }
    ${list} { nodes { ${amounts} } totals { totalValue projectedCount withoutValue } } }`);
  const total = expected.nodes.reduce((all, { totalValue }) => all.plus(totalValue), new Decimal(0)).toFixed(2);
  expect(data).toEqual({
    operation: { series: [{ yieldToMaturity }], payments: { nodes: expected.nodes } },
    operationPayments: { nodes: expected.nodes, totals: { totalValue: total, projectedCount: 3, withoutValue: 0 } },
  });
  const moment = clock.now().toISOString();
  clock.advance(1000);
  const then = await run(
    `{ operationPayments(from: "2026-08-03", to: "2026-12-31", asOf: "${moment}") { nodes { totalValue projected } } }`,
  );
  const unknown = { totalValue: null, projected: false };
  expect(then.data).toEqual({ operationPayments: { nodes: [unknown, unknown, unknown] } });
  await run('mutation { setSeriesPricing(ticker: "ONE1", pricing: TYPED, reason: "perícia") { ticker } }');
  await settle();
  expect((await booked()).payments.at(-1)?.totalValue).toBeNull();
});

test('quotas that nobody subscribed stay so when subscribed ones are redeemed, and when that is taken back', async () => {
  await imported(issuancesImport, operation({ series: [series({ subscribedQuotas: 900 })] }));
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  expect(await booked()).toMatchObject({ quantity: '1000', subscribedQuotas: '900' });
  await act(
    'declareTrancheEvent(ticker: "TK1", kind: PARTIAL_REDEMPTION, day: "2026-05-18", quantity: "300", reason: "AGT") { number }',
  );
  await act('recordPayment(ticker: "TK1", event: "E1", paidOn: "2026-05-18") { status }');
  expect(await booked()).toMatchObject({ quantity: '700', subscribedQuotas: '600' });
  await act('reversePayment(ticker: "TK1", event: "E1", reason: "engano") { status }');
  await act('withdrawTrancheEvent(ticker: "TK1", number: "E1", reason: "engano") { number }');
  expect(await booked()).toMatchObject({ quantity: '1000', subscribedQuotas: '900' });
});

test('a part of a payment is a part in the operation too, and what is open stays open', async () => {
  const contract = record('contracts', { positionDate: '2026-04-30' });
  await imported(issuancesImport, operation({ contracts: [contract] }));
  const [first, , last] = schedule;
  const august = { ...last, installmentNumber: 2, calculationDate: '2026-08-03', dueDate: '2026-08-03' };
  await imported(tokenizationImport, estate({ schedule: [first, august] }));
  await price();
  await settle();
  const openNow = async () => {
    await settle();
    return (await booked()).payments.map(({ totalValue, openValue, paidDate }) => [totalValue, openValue, paidDate])[0];
  };
  const [total, whole] = (await openNow()) ?? [];
  expect(whole).toBe(total);
  const april = async () =>
    (
      await run(`{ operation(ticker: "CRI-ONE") { reportMonthStates { month dataChanged }
        report(month: "2026-04") { subordination { series { overdueTotal } } } } }`)
    ).data?.['operation'];
  const shown = (overdueTotal: string | undefined, dataChanged: boolean) => ({
    reportMonthStates: expect.arrayContaining([{ month: '2026-04', dataChanged }]),
    report: { subordination: { series: [{ overdueTotal }] } },
  });
  const store = (what: string) =>
    run(`mutation { ${what}Report(ticker: "CRI-ONE", month: "2026-04", reason: "em cobrança") { version } }`);
  expect((await store('close')).errors).toBeUndefined();
  expect(await april()).toEqual(shown(total ?? '', false));
  await act('recordPayment(ticker: "TK1", installmentNumber: 1, paidOn: "2026-04-02", amount: "100.00") { status }');
  const left = new Decimal(total ?? 'NaN').minus(100).toFixed(2);
  expect(await openNow()).toEqual([total, left, null]);
  const { data } = await run(
    `{ operationAlerts(kinds: [PAYMENT_OVERDUE]) { totals { overdueAmount } }
      operation(ticker: "CRI-ONE") { series { overdueValue } report { subordination { series { overdueTotal } } } } }`,
  );
  const overdueValue = truncate(new Decimal(left).div(1000), 8).toFixed(8);
  expect(data).toEqual({
    operationAlerts: { totals: { overdueAmount: left } },
    operation: { series: [{ overdueValue }], report: { subordination: { series: [{ overdueTotal: left }] } } },
  });
  // A month that is final says that it would be another.
  expect(await april()).toEqual(shown(total ?? '', true));
  // What was paid by its end counts, though the rest was paid since.
  await act('recordPayment(ticker: "TK1", installmentNumber: 1, paidOn: "2026-05-04", amount: "50.00") { status }');
  await act('recordPayment(ticker: "TK1", installmentNumber: 1, paidOn: "2026-05-05") { status }');
  expect(await openNow()).toEqual([total, '0.00', '2026-05-05']);
  expect((await store('reissue')).errors).toBeUndefined();
  expect(await april()).toEqual(shown(left, false));
});

test('events that come twice and in any order leave what the last of them says', async () => {
  await imported(issuancesImport, operation());
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  await imported(tokenizationImport, estate({ rate: '13' }), { correct: 'the deed says 13 %' });
  await price();
  await settle();
  const events = await dataSource.manager.rows<{ position: string; topic: string; payload: unknown; id: string }>(
    `SELECT position, topic, payload, id FROM shared.outbox WHERE topic IN ('tranche.booked', 'tranche.projected') ORDER BY position`,
  );
  const published = events.map(({ position, ...event }) => ({
    ...event,
    key: 'TK1',
    sequence: Number(position),
    createdAt: '',
  }));
  expect(published.filter(({ topic }) => topic === 'tranche.projected').length).toBeGreaterThan(1);
  const expected = await booked();
  for (const event of [...published.toReversed(), ...published])
    for (const consumer of issuances.consumers ?? [])
      await dataSource.manager.inTransaction((manager) => consumer({ ...context(), manager, onCommit: [] }, [event]));
  expect(await booked()).toEqual(expected);
});

test('a typed price or payment of such a series is refused, and the same values change nothing', async () => {
  await imported(issuancesImport, operation());
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  const [first] = (await booked()).prices;
  const line = (value: string) => `trancheTicker;date;value\nONE1;${first?.date ?? ''};${value}\n`;
  expect(printed(await importInto(issuancesImport, line('999.99')))).toEqual([
    expect.stringContaining('the engine computes from tranche TK1'),
  ]);
  await imported(issuancesImport, line(first?.value ?? ''));
  const payment = { installmentNumber: 9, event: 'Juros', dueDate: '2026-08-03', paidDate: null };
  const withPayment = operation({ payments: [record('payments', { trancheTicker: 'ONE1', ...payment })] });
  expect(printed(await importInto(issuancesImport, withPayment))).toEqual([
    expect.stringContaining('comes from tranche TK1'),
  ]);
  // A complete list that names none of them, and another status and quantity.
  const kept = await booked();
  await imported(issuancesImport, operation({ payments: [], series: [series({ status: 'Outra', quantity: 7 })] }));
  expect(await booked()).toEqual(kept);
});

test('of two tranches that name one series the first keeps its book, and the other takes it over when that one goes', async () => {
  await imported(issuancesImport, operation());
  const both = estate();
  const [first] = both['tranches'] as Json[];
  const other = { ...first, ticker: 'TK4', rate: '20' };
  await imported(tokenizationImport, { ...both, tranches: [{ ...first, ticker: 'TK3' }, other] });
  await price();
  await settle();
  const pricesOf = (ticker: string) =>
    dataSource.manager.rows<{ date: string; value: string }>(
      `SELECT date::text AS date, unit_price AS value FROM tokenization.unit_prices
       WHERE tranche_id = (SELECT id FROM tokenization.tranches WHERE ticker = $1) ORDER BY date`,
      [ticker],
    );
  const holder = async () => {
    const { engineTranche } = await dataSource.manager.one<{ engineTranche: string }>(
      'SELECT engine_tranche AS "engineTranche" FROM issuances.series',
    );
    return engineTranche;
  };
  const held = await holder();
  expect(valuesOf((await booked()).prices)).toEqual(await pricesOf(held));
  clock.advance(1000);
  await voidRecord(context(), [tokenizationImport], 'tranches', ['PAT-ONE', held], { reason: 'another estate' });
  await settle();
  expect(await holder()).toBe(held === 'TK3' ? 'TK4' : 'TK3');
  expect(valuesOf((await booked()).prices)).toEqual(await pricesOf(await holder()));
});

test('a redeemed tranche redeems the series, and one that is voided takes its prices and payments along', async () => {
  // Its ticker stays reserved.
  const voided = { ticker: 'TK2' };
  await imported(issuancesImport, operation());
  await imported(tokenizationImport, estate(voided));
  await price();
  const paid = schedule.map((one) => ({ ...one, paidOn: one.dueDate, interestValue: '1.00', principalValue: '1.00' }));
  clock.advance(30 * 86_400_000);
  await imported(tokenizationImport, estate({ ...voided, status: 'CLOSED', schedule: paid }));
  await settle();
  expect(await booked()).toMatchObject({ statusLabel: 'Resgatada', status: 'ENDED' });
  const none = { valorRaw: '0.00000000', dataRaw: schedule[2]?.dueDate };
  const current = await run(
    `{ operationCards { cards { pu { valorRaw dataRaw } } } operationDetail(ticker: "CRI-ONE") { precificacao {
         atual { valorRaw dataRaw } variacaoRaw pagamentoUnitarioRaw } }
       operation(ticker: "CRI-ONE") { series { currentUnitPrice { value date provenance { source } } } } }`,
  );
  expect(JSON.parse(JSON.stringify(current))).toMatchObject({
    data: {
      operationCards: { cards: [{ pu: none }] },
      operationDetail: {
        precificacao: [{ atual: none, variacaoRaw: '-100.0000', pagamentoUnitarioRaw: '0.00200000' }],
      },
      operation: { series: [{ currentUnitPrice: { value: '0.00000000', provenance: { source: 'ENGINE' } } }] },
    },
  });
  const redeemed = await booked();
  clock.advance(1000);
  const act = await voidRecord(context(), [tokenizationImport], 'tranches', ['PAT-ONE', 'TK2'], {
    reason: 'another estate',
  });
  await settle();
  expect(await booked()).toMatchObject({ pricing: 'TYPED', prices: [], payments: [] });
  clock.advance(1000);
  await revertImport(context(), [tokenizationImport], act.importId ?? '', { reason: 'it was right' });
  await settle();
  expect(valuesOf((await booked()).prices)).toEqual(valuesOf(redeemed.prices));
  expect((await booked()).payments).toEqual(redeemed.payments);
});

test('an operator types the prices of a series with a reason, and each that differs from the engine with another', async () => {
  await imported(issuancesImport, operation());
  await imported(tokenizationImport, estate());
  await price();
  await settle();
  const before = await booked();
  const choose = (pricing: string) =>
    run(`mutation { setSeriesPricing(ticker: "one1", pricing: ${pricing}, reason: "the deed of 2026") { pricing } }`);
  expect(await choose('TYPED')).toMatchObject({ data: { setSeriesPricing: { pricing: 'TYPED' } } });
  await settle();
  const [first] = before.prices;
  const line = `trancheTicker;date;value\nONE1;${first?.date ?? ''};1000.5\n`;
  const refused = await importInto(issuancesImport, line);
  expect(printed(refused)).toContainEqual(expect.stringContaining(`the engine computed ${first?.value ?? ''}`));
  await imported(issuancesImport, line, { correct: 'as the trustee has it' });
  const listed = await run('{ typedPriceDifferences { seriesTicker date value engineValue reason } }');
  expect(listed.data?.['typedPriceDifferences']).toEqual([
    {
      seriesTicker: 'ONE1',
      date: first?.date,
      value: '1000.50000000',
      engineValue: first?.value,
      reason: 'as the trustee has it',
    },
  ]);
  const changed = () =>
    dataSource.manager.countRows(
      'SELECT coalesce(sum(changes), 0)::int FROM issuances.report_inputs JOIN issuances.operations ON id = operation_id',
    );
  await dataSource.manager.query(
    `INSERT INTO issuances.monthly_reports (operation_id, month, report, generated_at, version, input_changes)
     SELECT id, '2026-05-01', '{}', now(), 1, 0 FROM issuances.operations`,
  );
  await choose('ENGINE');
  await settle();
  // The price in force at the end of the month is the same as before.
  expect(await changed()).toBe(0);
  expect(valuesOf((await booked()).prices)).toEqual(valuesOf(before.prices));
  expect((await run('{ typedPriceDifferences { date } }')).data?.['typedPriceDifferences']).toEqual([]);
});

/** Returns what an originator of the estate does: it assigns credits of R$ 500 and pays parts of them. */
const originator = async () => {
  const { id: patrimonyId } = await dataSource.manager.one<{ id: string }>('SELECT id FROM tokenization.patrimonies');
  const tell = async (topic: string, payload: object) => {
    await inTransaction(context(), (tx) => announceAll(tx, [{ topic, key: patrimonyId, payload, internal: true }]));
    await settle();
  };
  const batch = { batchName: 'Lote', patrimonyId, originatorId: newId(), piece: 0 };
  return {
    assign: async (externalId: string) => {
      const id = newId();
      const receivable = { ...assignedCredit(externalId, '500.00', '2026-06-01'), id };
      await tell('receivables.assigned', { ...batch, batchId: newId(), receivables: [receivable] });
      return id;
    },
    settleCredit: (receivableId: string, settledAmount: string, settledDate: string) => {
      const paid = { receivableId, kind: 'PAYMENT', settledAmount, surplus: '0', settledDate };
      return tell('receivables.settled', { batchId: newId(), piece: 0, ownerId: 'account', entries: [paid] });
    },
  };
};

test('credits that originators assign to the estate are contracts of its operation, and follow what becomes of them', async () => {
  const portfolio = async () => {
    const { data } = await run('{ operation(ticker: "CRI-ONE") { report { portfolio { contracts balance } } } }');
    return (data?.['operation'] as { report: { portfolio: unknown } }).report.portfolio;
  };
  const contract = record('contracts', { outstandingBalance: '1000.00', positionDate: '2026-06-09' });
  await imported(issuancesImport, operation({ contracts: [contract] }));
  await imported(tokenizationImport, estate());
  const { assign, settleCredit } = await originator();
  const first = await assign('CCB-2025-000123');
  const second = await assign('B');
  expect(await portfolio()).toEqual({ contracts: 3, balance: '2000.00' });
  await settleCredit(first, '200.00', '2026-06-05');
  expect(await portfolio()).toEqual({ contracts: 3, balance: '1800.00' });
  const { data } = await graph.executor.execute(
    { document: parse(`mutation { writeOffAsset(assetId: "${second}") { status } }`), variables: {} },
    context(),
  );
  expect(data).toEqual({ writeOffAsset: { status: 'WRITTEN_OFF' } });
  await settle();
  expect(await portfolio()).toEqual({ contracts: 2, balance: '1300.00' });

  // Another operation of the same estate takes them along.
  await imported(
    issuancesImport,
    operation({ ticker: 'CRI-TWO', slug: 'cri-two', href: '/emissoes/cri-two', series: [] }),
  );
  await imported(tokenizationImport, estate({}, { operationTicker: 'CRI-TWO' }));
  await settle();
  const { data: both } = await run(
    '{ one: operation(ticker: "CRI-ONE") { report { portfolio { contracts } } } two: operation(ticker: "CRI-TWO") { report { portfolio { contracts } } } }',
  );
  expect(both).toEqual({
    one: { report: { portfolio: { contracts: 1 } } },
    two: { report: { portfolio: { contracts: 1 } } },
  });
});

test('a month that is closed after its end has the credits that were assigned by then, as they were recorded by then', async () => {
  const contract = record('contracts', { outstandingBalance: '1000.00', positionDate: '2026-06-09' });
  await imported(issuancesImport, operation({ contracts: [contract] }));
  await imported(tokenizationImport, estate());
  const { assign, settleCredit } = await originator();
  const first = await assign('A');
  clock.set('2026-07-02T15:00:00Z');
  await assign('B');
  await settleCredit(first, '200.00', '2026-06-30');
  const june = async () =>
    (
      await run(`{ operation(ticker: "CRI-ONE") { reportMonthStates { month version dataChanged }
        report(month: "2026-06") { portfolio { contracts balance baseDate } } } }`)
    ).data?.['operation'];
  const portfolio = { contracts: 2, balance: '1500.00', baseDate: '2026-06-30' };
  expect(await june()).toMatchObject({ report: { portfolio } });
  const close = 'mutation { closeReport(ticker: "CRI-ONE", month: "2026-06", reason: "sem preço") { version } }';
  expect(await run(close)).toMatchObject({ data: { closeReport: { version: 1 } } });
  await settleCredit(first, '100.00', '2026-07-02');
  await assign('C');
  const states = [{ month: '2026-06', version: 1, dataChanged: false }];
  expect(await june()).toEqual({ reportMonthStates: states, report: { portfolio } });
  const again = 'mutation { reissueReport(ticker: "CRI-ONE", month: "2026-06", reason: "julho") { version } }';
  expect((await run(again)).errors?.[0]?.extensions['code']).toBe('CONFLICT');
});
