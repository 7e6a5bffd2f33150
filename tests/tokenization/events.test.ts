import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Decimal, sum, truncate } from '../../shared/kernel/decimal.js';
import { spreadFactor } from '../../subgraphs/tokenization/unit-price/unit-price.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';
import { markOverdueInstalments } from '../../subgraphs/tokenization/schedule/mark-overdue.js';
import {
  importTexts,
  printed,
  record,
  tranche,
  wholePatrimony,
} from '../../subgraphs/tokenization/import/tests/kit.js';
import { revertImport } from '../../shared/import/revert.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { recordedByClock } from '../kit/as-of.js';
import { until } from '../kit/until.js';
import { openTokenizationGraph } from './graph.js';
import { addEstate, addInstalment, addSeries, calendarOf } from './series/kit.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const calendar = await calendarOf(manager);

/** The run that a declaration wakes may hold the series: it is priced once nothing is due. */
const price = () =>
  until('all prices', async () => {
    await repriceAll(graph.acting(), { calendar });
    const [{ due } = { due: 1 }] = await manager.query<{ due: number }[]>(
      `SELECT count(*)::int AS due FROM tokenization.tranches
       WHERE priced_policy_version IS DISTINCT FROM policy_version OR priced_through IS NULL OR priced_through < $1`,
      [calendar.preceding(graph.clock.now().toISOString().slice(0, 10))],
    );
    return due === 0;
  });

const terms = { late_fine_percent: '2', late_interest_percent: '1', late_interest_mode: 'SIMPLE_30' };

beforeEach(async () => {
  await graph.empty();
  await graph.asOwner('TRUNCATE tokenization.tranche_events');
  graph.clock.set('2026-10-20T15:00:00Z');
  await recordedByClock(graph.acting(), async (tx) => {
    const series = await addSeries(tx.manager, await addEstate(tx.manager, 'PAT1'), 'S1', terms);
    for (const [index, [day, share]] of [
      ['2026-06-15', '25'],
      ['2026-09-15', '50'],
      ['2026-12-15', '40'],
      ['2027-03-15', '100'],
    ].entries())
      await addInstalment(tx.manager, series, index + 1, day ?? '', share ?? '', { principal_percentage: share });
  });
  await price();
  await markOverdueInstalments(graph.acting(), calendar);
});

/** 1,000 units of R$ 1,000 at 12 % a year (BUS252): what is left after the first two instalments, and the factor since the second. */
const left = new Decimal(375);
const factor = (from: string, to: string) =>
  spreadFactor(new Decimal(12), 'BUS252', calendar.businessDaysBetween(from, to));
const interestOn = (balance: Decimal, from: string, to: string) =>
  truncate(balance.times(factor(from, to).minus(1)), 8);
const ofAll = (unit: Decimal, units = 1000) => truncate(truncate(unit, 8).times(units), 2).toFixed(2);

const eventFields = `number kind day through installmentNumber percent quantity lot premiumRule premiumPercent reason document withdrawnAt withdrawalReason
  entry { installmentNumber event status interestValue principalValue premiumValue totalValue openValue payments { amount interest principal premium } }`;

async function run(document: string): Promise<Record<string, unknown>> {
  const { data, errors } = await graph.operate(document);
  expect(errors?.map(({ message, extensions }) => [message, extensions['details']])).toBeUndefined();
  return data ?? {};
}
const declare = async (args: string) =>
  (
    await run(`mutation { act: declareTrancheEvent(ticker: "S1", reason: "AGT de 10/10", ${args}) { ${eventFields} } }`)
  )['act'];
const withdraw = async (number: string) =>
  (
    await run(
      `mutation { act: withdrawTrancheEvent(ticker: "s1", number: "${number}", reason: "engano") { ${eventFields} } }`,
    )
  )['act'];
const preview = async (args: string) =>
  (
    await run(`{ act: previewTrancheEvent(ticker: "S1", reason: "r", ${args}) { isCorrection announces { name }
      event { number percent } value { interestValue principalValue premiumValue totalValue } prices { date before after }
      payments { number dueDate before after } lateCharges { fine mora remuneration total } } }`)
  )['act'] as Preview;
interface Preview {
  readonly value: { readonly totalValue: string } | null;
  readonly prices: readonly { readonly date: string; readonly before: string | null; readonly after: string | null }[];
  readonly payments: readonly { readonly number: string; readonly after: string | null }[];
}

/** The code of a refusal, with the rules of its details or of itself. */
async function refusal(text: string): Promise<unknown> {
  const { errors } = await graph.operate(`mutation { ${text} }`);
  const { code, details, rule } = (errors?.[0]?.extensions ?? {}) as {
    code?: string;
    details?: { rule: string }[];
    rule?: string;
  };
  return [code, ...(details?.map((detail) => detail.rule) ?? []), ...(rule === undefined ? [] : [rule])];
}
const refused = (args: string) => refusal(`declareTrancheEvent(ticker: "S1", reason: "r", ${args}) { number }`);

interface Entry {
  readonly installmentNumber: number;
  readonly event: string | null;
  readonly dueDate: string;
  readonly totalValue: string | null;
  readonly [field: string]: unknown;
}
const series = async () => {
  const { tranche: found } =
    await run(`{ tranche(ticker: "S1") { status unitPrice unitPriceDate tokenQuantity maturityDate
    schedule { nodes { installmentNumber event dueDate status interestEvent amortizationPercentage principalPercentage totalValue projected } }
    events { ${eventFields} } } }`);
  const { schedule, ...rest } = found as { schedule: { nodes: Entry[] }; [field: string]: unknown };
  return { ...rest, entries: schedule.nodes } as { entries: Entry[]; events: object[]; [field: string]: unknown };
};
const numbersOf = (entries: readonly Entry[]) =>
  entries.map(({ installmentNumber, event }) => event ?? installmentNumber);
const announced = async () =>
  manager.query<{ topic: string; data: object }[]>(
    `SELECT topic, payload -> 'data' AS data FROM shared.outbox WHERE topic LIKE 'tranche.event%' ORDER BY position`,
  );
const prices = async () =>
  manager.query<{ date: string; version: number; price: string }[]>(
    `SELECT date::text, version, unit_price::text AS price FROM tokenization.unit_prices WHERE date >= '2026-10-14' ORDER BY date, version`,
  );

describe('an extraordinary amortization', () => {
  test('pays its part, the interest and a premium; instalments keep their numbers, and later prices follow as corrections', async () => {
    const args =
      'kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "10", premiumRule: FLAT, premiumPercent: "1.5", document: "Ata 3"';
    const interest = interestOn(left, '2026-09-15', '2026-10-15');
    const value = {
      interestValue: ofAll(interest),
      principalValue: '37500.00',
      premiumValue: '562.50',
      totalValue: sum([ofAll(interest), '38062.50']).toFixed(2),
    };
    const seen = await preview(args);
    expect(seen).toMatchObject({
      isCorrection: true,
      event: { number: 'E1', percent: '10.00' },
      value,
      announces: ['tranche.event_declared', 'tranche.unit_price_updated', 'payment.overdue'].map((name) => ({ name })),
    });
    const before = await prices();
    expect(await announced()).toEqual([]);

    expect(await declare(args)).toMatchObject({
      number: 'E1',
      kind: 'EXTRA_AMORTIZATION',
      reason: 'AGT de 10/10',
      document: 'Ata 3',
    });
    await price();
    const { entries, events } = await series();
    expect(numbersOf(entries)).toEqual([1, 2, 'E1', 3, 4]);
    expect(events).toMatchObject([
      {
        number: 'E1',
        entry: { installmentNumber: 0, event: 'E1', ...value, openValue: value.totalValue },
      },
    ]);
    expect(seen.payments.map(({ number }) => number)).toEqual(['E1', '3', '4']);
    expect(entries[3]?.totalValue).toBe(seen.payments[1]?.after);
    const rest = left.times('0.9');
    const after = await prices();
    expect(after.filter(({ version }) => version === 1)).toEqual(before);
    expect(after.filter(({ version }) => version === 2).map(({ date }) => date)).toEqual([
      '2026-10-15',
      '2026-10-16',
      '2026-10-19',
      '2026-10-20',
    ]);
    const newest = rest.plus(interestOn(rest, '2026-10-15', '2026-10-20')).toFixed(8);
    expect(after.at(-1)?.price).toBe(newest);
    expect(seen.prices.at(-1)).toMatchObject({ date: '2026-10-20', before: before.at(-1)?.price, after: newest });
    expect(await announced()).toEqual([
      {
        topic: 'tranche.event_declared',
        data: {
          trancheTicker: 'S1',
          patrimonyTicker: 'PAT1',
          event: 'E1',
          kind: 'EXTRA_AMORTIZATION',
          ...{ percent: '10.00', premiumRule: 'FLAT', premiumPercent: '1.50' },
          date: '2026-10-15',
          reason: 'AGT de 10/10',
          document: 'Ata 3',
        },
      },
    ]);
  });

  test('is charged for delay on what is open of it, whatever was paid beyond its premium', async () => {
    await declare(
      'kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "10", premiumRule: FLAT, premiumPercent: "1.5"',
    );
    await price();
    const mora = async (premium: string) => {
      await run(
        `mutation { recordPayment(ticker: "S1", event: "E1", paidOn: "2026-10-16", amount: "${premium}", premium: "${premium}") { status } }`,
      );
      const { tranche: found } = await run(
        '{ tranche(ticker: "S1") { schedule { nodes { event lateCharges(on: "2026-10-20") { mora } } } } }',
      );
      await run('mutation { reversePayment(ticker: "S1", event: "E1", reason: "r") { status } }');
      return (found as { schedule: { nodes: { event: string | null }[] } }).schedule.nodes.find(
        ({ event }) => event !== null,
      );
    };
    expect(await mora('5562.50')).toEqual(await mora('562.50'));
  });

  test('of an amount amortizes the percentage that makes it', async () => {
    await declare('kind: EXTRA_AMORTIZATION, day: "2026-10-15", amount: "12345.67"');
    await price();
    expect((await series()).events).toMatchObject([{ percent: '3.29217867', entry: { principalValue: '12345.67' } }]);
  });

  test('on the day of an instalment pays beside it, without its interest', async () => {
    const args = 'kind: EXTRA_AMORTIZATION, day: "2026-12-15", percent: "10"';
    await declare(args);
    graph.clock.set('2026-12-15T15:00:00Z');
    await price();
    const { entries, events } = await series();
    const interest = interestOn(left, '2026-09-15', '2026-12-15');
    expect(numbersOf(entries)).toEqual([1, 2, 3, 'E1', 4]);
    expect(entries[2]?.totalValue).toBe(sum([ofAll(interest), '150000.00']).toFixed(2));
    expect(events).toMatchObject([{ entry: { interestValue: '0.00', principalValue: '37500.00' } }]);
    graph.clock.set('2026-12-16T15:00:00Z');
    await price();
    expect((await series())['unitPrice']).toBe(
      truncate(left.times('0.5').times(factor('2026-12-15', '2026-12-16')), 8).toFixed(8),
    );
  });

  test('of the issue value shrinks the later parts, so that all of them are the whole', async () => {
    await manager.query(`UPDATE tokenization.tranches SET amortization_of = 'ISSUE_VALUE', policy_version = 2`);
    await manager.query(
      `UPDATE tokenization.schedule_entries SET amortization_percentage = CASE installment_number WHEN 1 THEN 10 WHEN 2 THEN 20 WHEN 3 THEN 30 ELSE 40 END`,
    );
    await declare('kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "7"');
    const { entries } = await series();
    expect(entries.map(({ amortizationPercentage }) => amortizationPercentage)).toEqual([
      '10.00',
      '20.00',
      '7.00',
      '27.00',
      '36.00',
    ]);
  });
});

describe('an early redemption', () => {
  const day = '2026-11-16';
  const unit = () => left.plus(interestOn(left, '2026-09-15', day));

  test('ends the later instalments; what it pays, with its premium, ends the series', async () => {
    const du = calendar.businessDaysBetween(day, '2027-03-15');
    await declare(`kind: EARLY_REDEMPTION, day: "${day}", premiumRule: YEARLY, premiumPercent: "0.8"`);
    expect(await series()).toMatchObject({ maturityDate: day });
    graph.clock.set('2026-11-16T15:00:00Z');
    await price();
    const premium = ofAll(unit().times('0.008').times(du).div(252));
    const total = sum([ofAll(interestOn(left, '2026-09-15', day)), '375000.00', premium]).toFixed(2);
    const { entries, events } = await series();
    expect(numbersOf(entries)).toEqual([1, 2, 'E1']);
    expect(events).toMatchObject([{ entry: { premiumValue: premium, totalValue: total } }]);
    for (const number of [1, 2])
      await run(
        `mutation { recordPayment(ticker: "S1", installmentNumber: ${String(number)}, paidOn: "2026-09-15") { status } }`,
      );
    expect(
      await refusal(
        `recordPayment(ticker: "S1", event: "E1", paidOn: "${day}", amount: "${sum([total, '0.01']).toFixed(2)}") { status }`,
      ),
    ).toEqual(['UNPROCESSABLE', 'PAYMENT_ABOVE_OPEN']);
    const part = await run(
      `mutation { act: recordPayment(ticker: "S1", event: "E1", paidOn: "${day}", amount: "380000.00") { status openValue } }`,
    );
    expect(part).toMatchObject({ act: { status: 'PARTIALLY_PAID', openValue: sum([total, '-380000']).toFixed(2) } });
    expect(await refusal('withdrawTrancheEvent(ticker: "S1", number: "E1", reason: "r") { number }')).toEqual([
      'CONFLICT',
      'EVENT_PAID',
    ]);
    const whole = await run(
      `mutation { act: recordPayment(ticker: "S1", event: "e1", paidOn: "${day}") { status event openValue payments { premium } } }`,
    );
    expect(whole).toMatchObject({ act: { status: 'PAID', event: 'E1', openValue: '0.00' } });
    expect(await series()).toMatchObject({ unitPrice: '0.00000000' });
    const [told] = await manager.query<{ data: object }[]>(
      `SELECT payload -> 'data' AS data FROM shared.outbox WHERE topic = 'payment.completed' ORDER BY position DESC LIMIT 1`,
    );
    expect(told).toMatchObject({
      data: { installmentNumber: 0, event: 'E1', premiumValue: premium, totalValue: total, status: 'PAID' },
    });
    const reversed = await run(
      'mutation { act: reversePayment(ticker: "S1", event: "E1", reason: "r") { status openValue } }',
    );
    expect(reversed).toMatchObject({ act: { status: 'PARTIALLY_PAID' } });
  });

  test('is withdrawn: the instalments are back under their numbers', async () => {
    const { entries } = await series();
    await declare(`kind: EARLY_REDEMPTION, day: "${day}"`);
    expect(await withdraw('E1')).toMatchObject({ number: 'E1', withdrawalReason: 'engano', entry: null });
    expect((await series()).entries).toEqual(entries);
    expect(await refusal('withdrawTrancheEvent(ticker: "S1", number: "E1", reason: "r") { number }')).toEqual([
      'CONFLICT',
      'EVENT_WITHDRAWN',
    ]);
    expect(await declare(`kind: EARLY_REDEMPTION, day: "${day}"`)).toMatchObject({ number: 'E2' });
    expect((await announced()).map(({ topic }) => topic.slice('tranche.'.length))).toEqual([
      'event_declared',
      'event_withdrawn',
      'event_declared',
    ]);
  });

  test('makes holders whole by the payments that they lose', async () => {
    await declare(`kind: EARLY_REDEMPTION, day: "${day}", premiumRule: MAKE_WHOLE, premiumPercent: "9"`);
    graph.clock.set('2026-11-16T15:00:00Z');
    await price();
    const worth = (value: Decimal, due: string) =>
      value.div(new Decimal('1.09').pow(new Decimal(calendar.businessDaysBetween(day, due)).div(252)));
    const third = left.times(factor('2026-09-15', '2026-12-15').minus(1)).plus(left.times('0.4'));
    const fourth = left.times('0.6').times(factor('2026-12-15', '2027-03-15'));
    const premium = worth(third, '2026-12-15').plus(worth(fourth, '2027-03-15')).minus(unit());
    expect(premium.gt(0)).toBe(true);
    expect((await series()).events).toMatchObject([{ entry: { premiumValue: ofAll(premium) } }]);
  });
});

test('a partial redemption pays the units that were drawn at the price of the day; once it is paid they are gone', async () => {
  const args = 'kind: PARTIAL_REDEMPTION, day: "2026-10-15", quantity: "100", lot: "Unidades 401 a 500"';
  const due = (await series()).entries[2]?.totalValue;
  await declare(args);
  await price();
  const interest = interestOn(left, '2026-09-15', '2026-10-15');
  const state = await series();
  expect(state).toMatchObject({
    tokenQuantity: '1000',
    events: [{ lot: 'Unidades 401 a 500', entry: { interestValue: ofAll(interest, 100), principalValue: '37500.00' } }],
  });
  const less = truncate(new Decimal(due ?? 0).times('0.9'), 2).toFixed(2);
  expect(state.entries[3]?.totalValue).toBe(less);
  await run('mutation { recordPayment(ticker: "S1", event: "E1", paidOn: "2026-10-15") { status } }');
  await price();
  const paid = await series();
  expect(paid['tokenQuantity']).toBe('900');
  expect(paid.entries[3]?.totalValue).toBe(less);
  expect(paid.entries.slice(0, 2)).toEqual(state.entries.slice(0, 2));
  await run('mutation { reversePayment(ticker: "S1", event: "E1", reason: "r") { status } }');
  const again = await series();
  expect([again['tokenQuantity'], again.entries.slice(0, 2)]).toEqual(['1000', state.entries.slice(0, 2)]);
  expect(await refused('kind: PARTIAL_REDEMPTION, day: "2026-10-15", quantity: "900"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_ALL_UNITS',
  ]);
});

test('a grace and an incorporation change instalments and not their numbers; what is not amortized stays in the balance', async () => {
  // A grace corrects no price before the first instalment that it spares.
  expect(await preview('kind: GRACE, day: "2026-10-01", through: "2026-12-31"')).toMatchObject({
    isCorrection: false,
  });
  await declare('kind: GRACE, day: "2026-12-01", through: "2026-12-31", interestEvent: INCORPORATED');
  await declare('kind: INCORPORATION, day: "2027-01-15"');
  const { entries } = await series();
  expect(entries.slice(2)).toMatchObject([
    {
      installmentNumber: 3,
      interestEvent: 'INCORPORATED',
      amortizationPercentage: '0.00',
      principalPercentage: '0.00',
      totalValue: '0.00',
    },
    { event: 'E2', interestEvent: 'INCORPORATED', totalValue: '0.00' },
    { installmentNumber: 4, amortizationPercentage: '100.00' },
  ]);
  const whole = ['2026-12-15', '2027-01-15', '2027-03-15'].reduce<readonly [Decimal, string]>(
    ([balance, from], to) => [truncate(balance.times(factor(from, to)), 8), to] as const,
    [left, '2026-09-15'],
  );
  expect(Number(entries[4]?.totalValue)).toBeCloseTo(Number(ofAll(whole[0])), 1);
  expect(await refusal('withdrawTrancheEvent(ticker: "S1", number: "E1", reason: "r") { number }')).toEqual([
    'CONFLICT',
    'EVENT_LATER',
  ]);
  await withdraw('E2');
  await withdraw('E1');
  expect((await series()).entries[2]).toMatchObject({
    interestEvent: 'PAID',
    amortizationPercentage: '40.00',
    principalPercentage: '40.00',
  });
});

test('a late payment and a waiver are told, with the charges of the day and what is waived of them', async () => {
  const late = 'kind: LATE_PAYMENT, installmentNumber: 2, day: "2026-10-20"';
  const seen = (await preview(late)) as unknown as {
    lateCharges: { fine: string; mora: string; remuneration: string };
  };
  const { entries } = await series();
  const fine = new Decimal(entries[1]?.totalValue ?? 0).times('0.02').toFixed(2);
  expect(seen).toMatchObject({
    value: null,
    prices: [],
    payments: [],
    announces: [{ name: 'tranche.event_declared' }],
    lateCharges: { fine },
  });
  await declare(late);
  await declare('kind: WAIVER, installmentNumber: 2, day: "2026-10-20", percent: "50"');
  const charges = async () => {
    const { tranche: found } = await run(
      '{ tranche(ticker: "S1") { schedule { nodes { lateCharges(on: "2026-10-20") { fine mora remuneration } } } } }',
    );
    return (found as { schedule: { nodes: { lateCharges: object }[] } }).schedule.nodes[1]?.lateCharges;
  };
  const half = (text: string) => new Decimal(text).div(2);
  const waived = (await charges()) as { fine: string; mora: string; remuneration: string };
  expect(half(seen.lateCharges.fine).minus(waived.fine).abs().lte('0.01')).toBe(true);
  expect(half(seen.lateCharges.mora).minus(waived.mora).abs().lte('0.01')).toBe(true);
  expect(waived.remuneration).toBe(seen.lateCharges.remuneration);
  expect(await refused('kind: WAIVER, installmentNumber: 2, day: "2026-10-20", percent: "50.01"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_WAIVED',
  ]);
  await withdraw('E2');
  expect(await charges()).toMatchObject({ fine: seen.lateCharges.fine });
});

test('a series with a fixed rate yields that rate at its price', async () => {
  const { tranche: found } = await run('{ tranche(ticker: "S1") { yieldToMaturity { percent duration } } }');
  const { percent, duration } = (found as { yieldToMaturity: { percent: string; duration: string } }).yieldToMaturity;
  expect(Number(percent)).toBeCloseTo(12, 3);
  const years = (due: string) => calendar.businessDaysBetween('2026-10-19', due) / 252;
  expect(Number(duration)).toBeGreaterThan(years('2026-12-15'));
  expect(Number(duration)).toBeLessThan(years('2027-03-15'));
});

test('what cannot be is refused with all of its reasons, and nothing is written', async () => {
  expect(await refused('kind: EXTRA_AMORTIZATION, day: "2026-10-15"')).toEqual(['UNPROCESSABLE', 'EVENT_NEEDS']);
  expect(await refused('kind: GRACE, day: "2026-12-01", quantity: "5", percent: "101"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_NEEDS',
    'EVENT_WITHOUT',
    'EVENT_WITHOUT',
    'EVENT_PERCENT',
  ]);
  for (const [args, ...rules] of [
    ['EXTRA_AMORTIZATION, day: "2026-11-15", percent: "100", lot: "1"', 'WITHOUT', 'BUSINESS_DAY', 'WHOLE'],
    ['EXTRA_AMORTIZATION, day: "2026-11-15", amount: "0", premiumRule: FLAT', 'AMOUNT', 'NEEDS', 'BUSINESS_DAY'],
    ['PARTIAL_REDEMPTION, day: "2026-11-15", quantity: "1000"', 'BUSINESS_DAY', 'ALL_UNITS'],
    ['WAIVER, day: "2025-01-01", installmentNumber: 9, percent: "101"', 'PERCENT', 'DAY_AFTER', 'INSTALMENT'],
  ])
    expect(await refused(`kind: ${String(args)}`)).toEqual(['UNPROCESSABLE', ...rules.map((rule) => `EVENT_${rule}`)]);
  expect(await refused('kind: EARLY_REDEMPTION, day: "2026-11-15"')).toEqual(['UNPROCESSABLE', 'EVENT_BUSINESS_DAY']);
  expect(await refused('kind: EARLY_REDEMPTION, day: "2027-03-16"')).toEqual(['UNPROCESSABLE', 'EVENT_DAY']);
  expect(await refused('kind: EARLY_REDEMPTION, day: "2027-03-15"')).toEqual(['UNPROCESSABLE', 'EVENT_NOTHING_LEFT']);
  expect(await refused('kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "100"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_WHOLE',
  ]);
  expect(await refused('kind: EXTRA_AMORTIZATION, day: "2026-10-15", amount: "375000.00"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_WHOLE',
  ]);
  expect(await refused('kind: GRACE, day: "2027-03-01", through: "2027-04-01"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_GRACE',
  ]);
  expect(await refused('kind: LATE_PAYMENT, day: "2026-12-15", installmentNumber: 3')).toEqual([
    'UNPROCESSABLE',
    'EVENT_NOT_LATE',
  ]);
  expect(await refused('kind: WAIVER, day: "2026-12-15", installmentNumber: 9')).toEqual([
    'UNPROCESSABLE',
    'EVENT_INSTALMENT',
  ]);
  await run('mutation { recordPayment(ticker: "S1", installmentNumber: 2, paidOn: "2026-09-15") { status } }');
  expect(await refused('kind: EARLY_REDEMPTION, day: "2026-07-15"')).toEqual(['UNPROCESSABLE', 'EVENT_PAID']);
  expect(await refusal('withdrawTrancheEvent(ticker: "S1", number: "E1", reason: "r") { number }')).toEqual([
    'NOT_FOUND',
  ]);
  expect(await refusal('withdrawTrancheEvent(ticker: "S1", number: "1", reason: "r") { number }')).toEqual([
    'BAD_REQUEST',
    'EVENT_NUMBER',
  ]);
  expect((await series()).events).toEqual([]);
});

test('an event that is declared again, also at the same moment, is the one that stands', async () => {
  const kinds = [
    'kind: EXTRA_AMORTIZATION, day: "2026-11-16", percent: "10", premiumRule: FLAT, premiumPercent: "0.5"',
    'kind: EXTRA_AMORTIZATION, day: "2026-11-17", amount: "12345.67"',
    'kind: PARTIAL_REDEMPTION, day: "2026-11-18", quantity: "100"',
    'kind: INCORPORATION, day: "2026-11-19"',
    'kind: GRACE, day: "2026-12-01", through: "2026-12-31"',
    'kind: LATE_PAYMENT, installmentNumber: 2, day: "2026-10-20"',
    'kind: WAIVER, installmentNumber: 2, day: "2026-10-20", percent: "40"',
    'kind: EARLY_REDEMPTION, day: "2027-01-15"',
  ];
  for (const [index, kind] of kinds.entries()) {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => declare(kind)));
    expect(first).toMatchObject({ number: `E${String(index + 1)}` });
    expect(others).toEqual([first, first]);
  }
  const { events, entries } = await series();
  expect(events).toHaveLength(kinds.length);
  const [again = '', ...rest] = kinds.map((kind) => kind.replace('"10"', '"10.0"'));
  for (const kind of rest) expect(await declare(kind)).toEqual(events[kinds.indexOf(kind)]);
  await run(`mutation { declareTrancheEvent(ticker: "S1", reason: "de novo", ${again}) { number } }`);
  expect(await preview(again)).toMatchObject({ event: { number: 'E1' }, announces: [], prices: [], payments: [] });
  expect(await series()).toMatchObject({ events, entries });
  expect(await announced()).toHaveLength(kinds.length);
  // Another decision is another event, and so is one that was withdrawn.
  const waiver = kinds[6] ?? '';
  expect(await declare(`${waiver}, document: "Ata 9"`)).toMatchObject({ number: 'E9' });
  await withdraw('E7');
  expect(await declare(waiver)).toMatchObject({ number: 'E10' });
});

test('of two declared at the same moment, each has a number of its own, and the second knows the first', async () => {
  const redemption = 'kind: EARLY_REDEMPTION, day: "2026-11-16", premiumRule: FLAT, premiumPercent:';
  const outcomes = await Promise.all([1, 2].map((percent) => refused(`${redemption} "${String(percent)}"`)));
  expect(outcomes).toContainEqual([undefined]);
  expect(outcomes).toContainEqual(['UNPROCESSABLE', 'EVENT_NOTHING_LEFT']);
  expect((await series()).events).toMatchObject([{ number: 'E1' }]);
});

test('an import needs a reason for what a published price is made of, and leaves events alone', async () => {
  const rows = [
    ['2026-06-15', '25'],
    ['2026-09-15', '50'],
    ['2026-12-15', '40'],
    ['2027-03-15', '100'],
  ] as const;
  const file = (changes: Readonly<Record<number, object>>) => ({
    'p.json': wholePatrimony({
      ticker: 'PAT9',
      slug: 'pat9',
      operationTicker: null,
      assets: [],
      tranches: [
        tranche({
          ...{
            ticker: 'S9',
            seriesTicker: null,
            indexer: 'NONE',
            diPercentage: null,
            diLagBusinessDays: null,
            dayCount: 'BUS252',
            rate: '12',
          },
          ...{ remunerationStartDate: '2026-03-02', status: 'ACTIVE', issueValue: '1000' },
          schedule: rows.map(([day, share], index) =>
            record('schedule', {
              ...{ installmentNumber: index + 1, calculationDate: day, dueDate: day, amortizationPercentage: share },
              ...{ interestPercentage: null, principalPercentage: null, ...changes[index + 1] },
            }),
          ),
        }),
      ],
    }),
  });
  const refusedBy = async (changes: Readonly<Record<number, object>>) => {
    const { errors, errorCount } = await importTexts(graph.acting(), file(changes));
    expect(errors).toHaveLength(errorCount);
    return errors.map(({ rule }) => rule);
  };
  expect(await refusedBy({})).toEqual([]);
  await price();
  expect(await refusedBy({ 3: { amortizationPercentage: '30' } })).toEqual([]);
  expect(await refusedBy({ 2: { amortizationPercentage: '60' } })).toEqual(['SETTLED_PRICED']);
  const corrected = await importTexts(graph.acting(), file({ 2: { amortizationPercentage: '60' } }), {
    correct: 'Termo aditivo',
  });
  expect(printed(corrected)).toEqual([]);
  await run(
    'mutation { declareTrancheEvent(ticker: "S9", reason: "r", kind: GRACE, day: "2026-12-01", through: "2026-12-31") { number } }',
  );
  await run(
    'mutation { declareTrancheEvent(ticker: "S9", reason: "r", kind: EARLY_REDEMPTION, day: "2027-01-15") { number } }',
  );
  expect(await refusedBy({ 2: { amortizationPercentage: '60' } })).toEqual(['CHANGED_BY_EVENT', 'CHANGED_BY_EVENT']);
});

const pay = (number: number, paidOn: string) =>
  run(`mutation { recordPayment(ticker: "S1", installmentNumber: ${String(number)}, paidOn: "${paidOn}") { status } }`);
const withdrawal = (number: string) =>
  refusal(`withdrawTrancheEvent(ticker: "S1", number: "${number}", reason: "r") { number }`);

test('what was paid stays as it was paid', async () => {
  await declare('kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "50"');
  graph.clock.set('2026-12-15T15:00:00Z');
  await price();
  for (const [number, day] of [
    [1, '2026-06-15'],
    [2, '2026-09-15'],
    [3, '2026-12-15'],
  ] as const)
    await pay(number, day);
  const { entries } = await series();
  // Instalment 3 was paid by the schedule with the event.
  expect(await withdrawal('E1')).toEqual(['CONFLICT', 'EVENT_PAID']);
  for (const kind of ['EARLY_REDEMPTION', 'EXTRA_AMORTIZATION, percent: "1"'])
    for (const day of ['2026-06-15', '2026-09-15'])
      expect(await refused(`kind: ${kind}, day: "${day}"`)).toEqual(expect.arrayContaining(['EVENT_PAID']));
  expect(await refused('kind: GRACE, day: "2026-12-01", through: "2026-12-31"')).toEqual([
    'UNPROCESSABLE',
    'EVENT_PAID',
  ]);
  expect(await refused('kind: INCORPORATION, day: "2027-03-15"')).toEqual(['UNPROCESSABLE', 'EVENT_NOTHING_LEFT']);
  expect((await series()).entries).toEqual(entries);
  // Expenses are no part of what is due, and stay with their event.
  await declare('kind: EXTRA_AMORTIZATION, day: "2027-01-15", percent: "1"');
  graph.clock.set('2027-01-15T15:00:00Z');
  await price();
  await run(
    'mutation { recordPayment(ticker: "S1", event: "E2", paidOn: "2027-01-15", amount: "10.00", expenses: "10.00", reference: "X1") { status } }',
  );
  expect(await withdrawal('E2')).toEqual(['CONFLICT', 'EVENT_PAID']);
});

test('a payment of an event is reversed after its price was corrected, with the premium of the new one', async () => {
  await declare('kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "10", premiumRule: FLAT, premiumPercent: "2"');
  await price();
  for (const number of [1, 2]) await pay(number, '2026-09-15');
  await run('mutation { recordPayment(ticker: "S1", event: "E1", paidOn: "2026-10-15") { status } }');
  await manager.query(`UPDATE tokenization.tranches SET issue_value = 1100, policy_version = policy_version + 1`);
  await price();
  const { tranche: paid } = await run('{ tranche(ticker: "S1") { schedule { nodes { event difference } } } }');
  expect(JSON.stringify(paid)).toMatch(/"event":"E1","difference":"4\d{3}\.\d\d"/);
  const { act } = await run(
    'mutation { act: reversePayment(ticker: "S1", event: "E1", reason: "r") { status principalValue premiumValue } }',
  );
  expect(act).toMatchObject({ principalValue: '41250.00', premiumValue: '825.00' });
});

test('events are among the payments to come, after the instalment of their day, page by page', async () => {
  await declare('kind: EXTRA_AMORTIZATION, day: "2026-12-15", percent: "10"');
  await declare('kind: PARTIAL_REDEMPTION, day: "2026-12-15", quantity: "10"');
  const seen: string[] = [];
  for (let after = ''; seen.length < 4;) {
    const { upcomingPayments: page } = (await run(
      `{ upcomingPayments(first: 1, to: "2027-12-31"${after}) { pageInfo { endCursor hasNextPage } nodes { installmentNumber event } } }`,
    )) as unknown as {
      upcomingPayments: { pageInfo: { endCursor: string; hasNextPage: boolean }; nodes: Entry[] };
    };
    seen.push(...numbersOf(page.nodes).map(String));
    if (!page.pageInfo.hasNextPage) break;
    after = `, after: "${page.pageInfo.endCursor}"`;
  }
  expect(seen).toEqual(['3', 'E1', 'E2', '4']);
});

test('units that were redeemed stay so, whoever marks the redemption as paid, and whatever a file says of them', async () => {
  await declare('kind: PARTIAL_REDEMPTION, day: "2026-10-15", quantity: "100"');
  await price();
  await run('mutation { recordPayment(ticker: "S1", event: "E1", paidOn: "2026-10-15") { status } }');
  expect(await series()).toMatchObject({ tokenQuantity: '900' });
  const [before] = await manager.query<{ id: string }[]>('SELECT id FROM shared.imports ORDER BY id DESC LIMIT 1');
  await run('mutation { reversePayment(ticker: "S1", event: "E1", reason: "r") { status } }');
  expect(await series()).toMatchObject({ tokenQuantity: '1000' });
  const [reversal] = await manager.query<{ id: string }[]>('SELECT id FROM shared.imports ORDER BY id DESC LIMIT 1');
  expect(reversal?.id).not.toBe(before?.id);
  await revertImport(graph.acting(), [tokenizationImport], reversal?.id ?? '', { reason: 'r' });
  expect(await series()).toMatchObject({ tokenQuantity: '900' });
});

test('a file that states the units as they were issued leaves those that were redeemed, and one that states others is refused', async () => {
  const file = (tokenQuantity: number, rate: string) => ({
    'p.json': wholePatrimony({
      ...{ ticker: 'PAT8', slug: 'pat8', operationTicker: null, assets: [] },
      tranches: [
        tranche({
          ...{ ticker: 'S8', seriesTicker: null, indexer: 'NONE', diPercentage: null, diLagBusinessDays: null },
          ...{ dayCount: 'BUS252', rate, remunerationStartDate: '2026-03-02', status: 'ACTIVE', tokenQuantity },
          schedule: [
            record('schedule', { calculationDate: '2027-03-15', dueDate: '2027-03-15', amortizationPercentage: '100' }),
          ],
        }),
      ],
    }),
  });
  const importing = async (quantity: number, rate: string) => {
    const { errors } = await importTexts(graph.acting(), file(quantity, rate), { correct: 'Aditivo' });
    return errors.map(({ rule }) => rule);
  };
  expect(await importing(1000, '12')).toEqual([]);
  await price();
  await run(
    'mutation { declareTrancheEvent(ticker: "S8", reason: "r", kind: PARTIAL_REDEMPTION, day: "2026-10-15", quantity: "100") { number } }',
  );
  await price();
  await run('mutation { recordPayment(ticker: "S8", event: "E1", paidOn: "2026-10-15") { status } }');
  const units = async () => (await run('{ tranche(ticker: "S8") { tokenQuantity } }'))['tranche'];
  for (const stated of [1000, 900]) {
    expect(await importing(stated, stated === 1000 ? '13' : '14')).toEqual([]);
    expect(await units()).toEqual({ tokenQuantity: '900' });
  }
  expect(await importing(950, '14')).toEqual(['CHANGED_BY_EVENT']);
});

test('an event of a past day is overdue once its price is there, and told with its amount', async () => {
  await declare('kind: EXTRA_AMORTIZATION, day: "2026-10-15", percent: "10"');
  const told = () =>
    manager.query<{ data: object }[]>(
      `SELECT payload -> 'data' AS data FROM shared.outbox WHERE topic = 'payment.overdue' AND payload -> 'data' ->> 'event' = 'E1'`,
    );
  await until('the event to be overdue', async () => (await told()).length > 0);
  const [entry] = (await series()).entries.filter(({ event }) => event === 'E1');
  expect(entry).toMatchObject({ status: 'OVERDUE', totalValue: expect.any(String) });
  expect(await told()).toMatchObject([{ data: { status: 'OVERDUE', totalValue: entry?.totalValue } }]);
});

test('an event of a past day is told without amounts while these are not known, its premium too', async () => {
  const unpriced = { indexer: 'DI', di_percentage: '100', di_lag_business_days: 0 };
  await recordedByClock(graph.acting(), async (tx) => {
    const id = await addSeries(tx.manager, await addEstate(tx.manager, 'PAT2'), 'S2', unpriced);
    await addInstalment(tx.manager, id, 1, '2027-03-15', '100');
  });
  await run(`mutation { declareTrancheEvent(ticker: "S2", reason: "r", kind: PARTIAL_REDEMPTION, day: "2026-10-16", quantity: "10",
    premiumRule: FLAT, premiumPercent: "0.5") { number } }`);
  const told = () =>
    manager.query<{ data: object }[]>(
      `SELECT payload -> 'data' AS data FROM shared.outbox WHERE topic = 'payment.overdue' AND key = 'S2'`,
    );
  await until('the event to be overdue', async () => (await told()).length > 0);
  const data = { trancheTicker: 'S2', installmentNumber: 0, event: 'E1', dueDate: '2026-10-16', status: 'OVERDUE' };
  expect(await told()).toEqual([{ data }]);
});

test('the return of a token counts what its instalments paid, of the day of the first price and not of the last', async () => {
  const earned = (from: string, to: string) =>
    run(`{ tranche(ticker: "S1") {
      priceReturn(from: "${from}", to: "${to}") { from to first last paid percent }
      unitPayments(from: "${from}", to: "${to}") { date value } } }`);
  const before = await earned('2026-09-14', '2026-09-16');
  expect(before).toMatchObject({ tranche: { priceReturn: { paid: null, percent: null }, unitPayments: null } });
  await run('mutation { a: recordPayment(ticker: "S1", installmentNumber: 2, paidOn: "2026-09-15") { status } }');
  const opening = new Decimal(750).plus(interestOn(new Decimal(750), '2026-06-15', '2026-09-14')).toFixed(8);
  const dueOn = new Decimal(750).plus(interestOn(new Decimal(750), '2026-06-15', '2026-09-15')).toFixed(8);
  const closing = left.plus(interestOn(left, '2026-09-15', '2026-09-16')).toFixed(8);
  const paid = new Decimal(ofAll(new Decimal(dueOn).minus(left))).div(1000).toFixed(8);
  // What is paid is reinvested at the price of its day without it.
  const percentOf = (first: string, last: string, value: string) =>
    new Decimal(dueOn).div(new Decimal(dueOn).minus(value)).times(last).div(first).minus(1).times(100).toFixed(4);
  for (const [from, to, first, last, counted] of [
    ['2026-09-14', '2026-09-16', opening, closing, paid],
    ['2026-09-14', '2026-09-15', opening, dueOn, '0.00000000'],
    ['2026-09-15', '2026-09-16', dueOn, closing, paid],
  ] as const)
    expect(await earned(from, to)).toEqual({
      tranche: {
        priceReturn: { from, to, first, last, paid: counted, percent: percentOf(first, last, counted) },
        unitPayments: counted === paid ? [{ date: '2026-09-16', value: paid }] : [],
      },
    });
});
