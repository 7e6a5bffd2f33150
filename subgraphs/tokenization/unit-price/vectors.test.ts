import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import {
  discountPrice,
  followsDi,
  followsIpca,
  plainPolicy,
  priceIndexFactor,
  pricedRow,
} from '../../../tests/tokenization/formulas.js';
import { compose, interestFactor } from './compose.js';
import { daysBetween } from '../../securities/day-count.js';
import { createDiTable, dailyRate, diFactor } from './di-factor.js';
import type { IndexBase } from './index-bases.js';
import type { UnitPriceEvent, UnitPricePolicy } from './policy.js';
import { paymentDecimals, settle } from './settle.js';
import { spreadFactor, unitPrice, type UnitPriceRow } from './unit-price.js';

const decimal = z.string().transform((text) => new Decimal(text));
const vectors = z
  .object({
    ipcaSpread: z.array(
      z.object({
        code: z.string(),
        date: z.string(),
        vne: decimal,
        fatorIndice: decimal,
        fatorSpread: z.string(),
        vna: z.string(),
        j: z.string(),
        puPar: z.string(),
        tai: decimal,
        ami: z.string(),
        pgto: z.string().optional(),
        du: z.number(),
        rateAA: decimal,
        nextVne: z.string().optional(),
        ni: z.array(decimal).optional(),
      }),
    ),
    diSpread: z.array(
      z.object({
        code: z.string(),
        date: z.string(),
        vne: decimal,
        di: z.array(z.tuple([decimal, z.number()])).optional(),
        spread: decimal,
        du: z.number(),
        fatorDI: z.string(),
        fatorSpread: z.string(),
        fatorJuros: z.string(),
        j: z.string(),
        pu: z.string(),
        amort: decimal.optional(),
      }),
    ),
    fixedRate: z.array(z.object({ rateAA: decimal, du: z.number(), face: decimal, price: z.string() })),
    businessDays: z.array(z.object({ from: z.string(), to: z.string(), du: z.number() })),
  })
  .parse(JSON.parse(readFileSync(new URL('../../../tests/tokenization/pu-vectors.json', import.meta.url), 'utf8')));

const one = new Decimal(1);
const hundred = new Decimal(100);

/** A published number has at most 15 significant digits, and payments at most 9 decimals. */
const published = (value: Decimal) => value.toSignificantDigits(15).toString();

const database = await openTestDatabase();
afterAll(() => database.close());
const calendar = await loadCalendar(database.dataSource.manager);

describe('published rows, from their factors', () => {
  test.each(vectors.diSpread)('$code of $date: DI and spread', (row) => {
    const rates = (row.di ?? []).flatMap(([rate, days]) => Array.from({ length: days }, () => rate));
    const di = row.di === undefined ? new Decimal(row.fatorDI) : diFactor(rates, hundred);
    const spread = spreadFactor(row.spread, 'BUS252', row.du);
    const interest = interestFactor(di, spread);
    const unit = compose({ vne: row.vne, indexFactor: one, interestFactor: interest });
    expect({
      fatorDI: di.toString(),
      fatorSpread: spread.toString(),
      fatorJuros: interest.toString(),
      j: unit.interestJ.toString(),
      pu: unit.unitPrice.toString(),
    }).toEqual({
      fatorDI: row.fatorDI,
      fatorSpread: row.fatorSpread,
      fatorJuros: row.fatorJuros,
      j: row.j,
      pu: row.pu,
    });
  });

  test.each(vectors.fixedRate)('a bill at $rateAA % over $du days', ({ face, rateAA, du, price }) => {
    expect(discountPrice(face, rateAA, du).toString()).toBe(price);
  });

  test.each([
    ['CIVIL_365', '1.009671647'],
    ['CIVIL_360', '1.009806632'],
  ] as const)('12 %% over 31 days of %s is %s', (dayCount, factor) => {
    expect(spreadFactor(new Decimal(12), dayCount, 31).toString()).toBe(factor);
  });

  test.each(vectors.businessDays)('from $from to $to there are $du business days', ({ from, to, du }) => {
    expect(daysBetween(from, to, calendar).businessDays).toBe(du);
  });

  // The daily rates of CETIP's own example of a percentage of DI, as reprinted by software vendors.
  test.each([
    ['16.62', '0.00061031'],
    ['16.63', '0.00061065'],
    ['16.74', '0.00061439'],
    ['16.70', '0.00061303'],
  ])('%s %% a year is %s a day', (rate, daily) => {
    expect(dailyRate(new Decimal(rate)).toString()).toBe(daily);
  });
});

/** IPCA, index number (December 1993 = 100), as IBGE published it. */
const ipcaNumbers = new Map(
  Object.entries({
    '2015-09': '4370.12',
    '2015-10': '4405.95',
    '2015-11': '4450.45',
    '2015-12': '4493.17',
    '2016-01': '4550.23',
    '2016-02': '4591.18',
    '2016-03': '4610.92',
    '2016-04': '4639.05',
    '2016-05': '4675.23',
    '2016-06': '4691.59',
    '2016-07': '4715.99',
    '2016-08': '4736.74',
    '2016-09': '4740.53',
    '2016-10': '4752.86',
    '2016-11': '4761.42',
    '2016-12': '4775.70',
    '2017-01': '4793.85',
    '2017-02': '4809.67',
    '2017-03': '4821.69',
    '2017-04': '4828.44',
    '2017-05': '4843.41',
    '2017-06': '4832.27',
    '2017-07': '4843.87',
    '2017-08': '4853.07',
    '2017-09': '4860.83',
    '2017-10': '4881.25',
    '2017-11': '4894.92',
    '2017-12': '4916.46',
    '2018-01': '4930.72',
    '2018-02': '4946.50',
    '2018-03': '4950.95',
    '2018-04': '4961.84',
    '2018-05': '4981.69',
    '2019-09': '5227.84',
    '2019-10': '5233.07',
    '2019-11': '5259.76',
    '2019-12': '5320.25',
    '2020-01': '5331.42',
    '2020-02': '5344.75',
    '2020-03': '5348.49',
  }).map(([month, number]) => [month, new Decimal(number)]),
);

const paid = (calculationDate: string, tai = '0'): UnitPriceEvent => ({
  calculationDate,
  interest: 'PAID',
  amortizationPercentage: new Decimal(tai),
});

const incorporated = (calculationDate: string): UnitPriceEvent => ({
  calculationDate,
  interest: 'INCORPORATED',
  amortizationPercentage: new Decimal(0),
});

function ipca(series: Partial<UnitPricePolicy> & Pick<UnitPricePolicy, 'startDate' | 'issueValue'>): UnitPricePolicy {
  return { ...plainPolicy, rate: new Decimal(0), indexer: followsIpca, ...series };
}

function price(policy: UnitPricePolicy, date: string, rates: Readonly<Record<string, string>> = {}): UnitPriceRow {
  const di = Object.entries(rates).map(([day, rate]) => ({ day, rate: new Decimal(rate) }));
  const inputs = { calendar, di: createDiTable(di, calendar), indexNumbers: { IPCA: ipcaNumbers, IGPM: new Map() } };
  return pricedRow(unitPrice(policy, date, inputs));
}

describe('published rows, from the index numbers, rates and calendar', () => {
  // The interest of its first eight months became principal on 2016-06-15. 9.5 % was amortized on 2016-12-15, and the factor of the row of 2017 continues
  // across that day. The other rows of the trustee's page are in the test below.
  const caet12 = {
    startDate: '2015-10-15',
    issueValue: new Decimal(1000),
    rate: new Decimal('9.3128'),
    events: [incorporated('2016-06-15'), paid('2016-12-15', '9.5'), paid('2017-06-15', '4.42')],
  };
  // Issued two business days before an anniversary; the issue value is constant, and the factor runs from the start.
  const ptmi11 = { startDate: '2017-05-11', issueValue: new Decimal(1000), rate: new Decimal('7.3754') };
  const series: Readonly<Record<string, UnitPricePolicy>> = {
    CAET12: ipca({ ...caet12, indexer: { ...followsIpca, base: 'START' } }),
    PTMI11: ipca({
      ...ptmi11,
      indexer: { ...followsIpca, base: 'START' },
      events: [paid('2017-06-15'), paid('2017-12-15', '12'), paid('2018-06-15', '7.38')],
    }),
    ITPE12: ipca({
      startDate: '2019-10-15',
      issueValue: new Decimal('985.0282973'),
      rate: new Decimal('7.0685'),
      indexer: { ...followsIpca, base: 'LAST_EVENT' },
      events: [paid('2020-04-15', '3.3505')],
    }),
    EOVC11: ipca({
      startDate: '2017-06-15',
      issueValue: new Decimal('902.8596614'),
      rate: new Decimal('8.37'),
      events: [paid('2017-12-15', '1.4085')],
    }),
  };

  test.each(vectors.ipcaSpread)('$code of $date', (row) => {
    const policy = series[row.code];
    if (policy === undefined) throw new Error(`${row.code} is not described`);
    const found = price(policy, row.date);
    expect(found.vne.toString()).toBe(row.vne.toString());
    expect(found.indexFactor.toString()).toBe(row.fatorIndice.toString());
    expect(found.spreadFactor.toString()).toBe(row.fatorSpread);
    expect(found.businessDays).toBe(row.du);
    expect(found.vna.toString()).toBe(row.vna);
    expect(found.interestJ.toString()).toBe(row.j);
    expect(found.unitPrice.toString()).toBe(row.puPar);
    expect(published(found.amortization)).toBe(row.ami);
    if (row.pgto !== undefined) expect(truncate(found.payment, paymentDecimals).toString()).toBe(row.pgto);
    if (row.nextVne !== undefined) expect(found.nextVne.toString()).toBe(row.nextVne);
    if (row.ni !== undefined) expect(priceIndexFactor(row.ni).toString()).toBe(row.fatorIndice.toString());
  });

  test('CAET12 from its issue: what was incorporated is principal in the money of that day, and the factor begins anew', () => {
    const on = (date: string) => {
      const row = price(ipca({ ...caet12, indexer: { ...followsIpca, base: 'START' } }), date);
      return [row.vne, row.indexFactor, row.spreadFactor, row.vna, row.nextVne].map(String);
    };
    expect(on('2016-06-15')).toEqual(['1000', '1.06981725', '1.060409882', '1069.81725', '1134.44478383']);
    expect(on('2016-12-15')).toEqual(['1134.44478383', '1.01843542', '1.045897117', '1155.35874988', '1026.67252936']);
    expect(on('2017-06-15')).toEqual(['1026.67252936', '1.0359725', '1.04515825', '1063.60450692', '981.29360356']);
  });

  test.each<[IndexBase, string, string]>([
    ['START', '1026.67252936', '1063.60450692'],
    ['YEARLY', '1041.01226991', '1063.60450557'],
    ['ANNIVERSARY', '1060.31713184', '1063.60451786'],
    ['LAST_EVENT', '1045.59966864', '1063.6044976'],
  ])('with %s, CAET12 has a nominal value of %s on 2017-06-15, and %s updated', (base, vne, vna) => {
    const found = price(ipca({ ...caet12, indexer: { ...followsIpca, base } }), '2017-06-15');
    expect([found.vne.toString(), found.vna.toString()]).toEqual([vne, vna]);
  });

  test('a year of YEARLY begins anew at the anniversary of the start, and not before', () => {
    const of = (base: IndexBase, date: string) => price(ipca({ ...ptmi11, indexer: { ...followsIpca, base } }), date);
    expect(of('YEARLY', '2018-05-15').indexStart).toBe('2017-05-11');
    const after = of('YEARLY', '2018-05-16');
    expect(after.indexStart).toBe('2018-05-15');
    expect(after.vne.toString()).toBe(of('YEARLY', '2018-05-15').nextVne.toString());
    expect(of('START', '2018-05-16').indexStart).toBe('2017-05-11');
  });

  test.each(vectors.diSpread.filter(({ code }) => code === 'ELMD11'))('$code of $date', (row) => {
    const rates: Record<string, string> = {};
    for (let day = '2017-07-06'; day < '2017-08-20'; day = calendar.addBusinessDays(day, 1))
      rates[day] = day < '2017-07-27' ? '10.14' : '9.14';
    const policy: UnitPricePolicy = {
      ...plainPolicy,
      startDate: '2017-07-06',
      issueValue: row.vne,
      rate: row.spread,
      indexer: followsDi,
      events: [paid('2017-07-20'), paid('2017-08-20')],
    };
    const found = price(policy, row.date, rates);
    expect(found.businessDays).toBe(row.du);
    expect(found.diFactor.toString()).toBe(row.fatorDI);
    expect(found.interestFactor.toString()).toBe(row.fatorJuros);
    expect(found.unitPrice.toString()).toBe(row.pu);
    expect(found.payment.toString()).toBe(row.j);
  });

  test('PTPN13 amortizes a percentage of the issue value', () => {
    const [row] = vectors.diSpread.filter(({ amort }) => amort !== undefined);
    if (row?.amort === undefined) throw new Error('The row is gone');
    const interest = new Decimal(row.fatorJuros);
    const base = { vne: row.vne, indexFactor: one, interestFactor: interest };
    const settled = settle(
      { issueValue: hundred, indexer: { kind: 'NONE' }, amortizationOf: 'ISSUE_VALUE' },
      { ...base, ...compose(base) },
      { event: { interest: 'PAID', amortizationPercentage: row.amort }, isUpdate: false },
    );
    expect(settled.amortization.toString()).toBe('3.5');
    expect(settled.payment.toString()).toBe(new Decimal(row.j).plus('3.5').toString());
    expect(settled.nextVne.toString()).toBe('92');
  });
});
