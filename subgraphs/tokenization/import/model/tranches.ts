import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date, month } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required, type Parent, type Expansion } from '../../../../shared/import/model/kind.js';
import type { Values } from '../../../../shared/import/model/value.js';
import { decimal, integer } from '../../../../shared/import/model/number-values.js';
import { inCalendar, type Rule, type ImportDay } from '../../../../shared/import/model/rules.js';
import { oneOf } from '../../../../shared/import/model/text-values.js';
import { riskClasses } from '../../../securities/risk-class.js';
import { indexerNames, lateInterestModes, trancheStatuses } from '../../tranches/tranche.js';
import { ofPatrimony } from './patrimonies.js';
import { amount, label, share, ticker } from './values.js';
import { indexBases, indexProRatas, projectionClauses } from '../../unit-price/index-bases.js';
import { isPriceIndex } from '../../unit-price/policy.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { AmortizationSystem, SchedulePolicy } from '../../unit-price/schedule-policy.js';
import { PolicyOutOfBounds, schedule } from '../../unit-price/schedule.js';

const amortizationSystems = ['BULLET', 'SAC', 'PRICE'] as const;

const prefix = 'schedulePolicy.';
const needed = ['firstMonth', 'anniversaryDay', 'everyMonths', 'instalments', 'amortization'];

/** Generates the instalments of a series whose schedule is given as a policy; undefined otherwise. */
function makeSchedule(values: Readonly<Values>, { calendar }: ImportDay): Expansion | undefined {
  const given = (name: string) => values[`${prefix}${name}`] ?? null;
  if (!Object.keys(values).some((name) => name.startsWith(prefix) && values[name] !== null)) return undefined;
  const lacking = needed.find((name) => given(name) === null);
  if (lacking !== undefined)
    return { field: prefix + lacking, error: broken('REQUIRED_WITH', { field: 'schedulePolicy' }) };
  if ((given('amortization') === 'PRICE') !== (given('priceRate') !== null)) {
    return { field: `${prefix}priceRate`, error: broken('ONLY_WITH_PRICE') };
  }
  try {
    const base = values['amortizationOf'] === 'ISSUE_VALUE' ? 'ISSUE_VALUE' : 'BALANCE';
    const instalments = schedule(policyOf(given), calendar, base);
    return { field: 'schedulePolicy', list: 'schedule', records: instalments.map(recordOf) };
  } catch (error) {
    if (error instanceof PolicyOutOfBounds) {
      const { field: name, min, max } = error;
      return { field: 'schedulePolicy', error: broken('SCHEDULE_BOUNDS', { name, min, max }) };
    }
    if (!(error instanceof RangeError)) throw error;
    return { field: 'schedulePolicy', error: broken('NO_SCHEDULE', { detail: error.message }) };
  }
}

function policyOf(given: (name: string) => string | null): SchedulePolicy {
  const number = (name: string, fallback: number) => Number(given(name) ?? fallback);
  return {
    firstMonth: (given('firstMonth') ?? '').slice(0, 7),
    anniversaryDay: number('anniversaryDay', 0),
    everyMonths: number('everyMonths', 0),
    instalments: number('instalments', 0),
    accrueUntil: given('accrueUntil') === 'DUE_DATE' ? 'DUE_DATE' : 'ANNIVERSARY',
    amortization: systemOf(given),
    principalGrace: number('principalGrace', 0),
    interestGrace: number('interestGrace', 0),
    graceInterest: given('graceInterest') === 'ACCRUED' ? 'ACCRUED' : 'INCORPORATED',
    percentageDecimals: number('percentageDecimals', 4),
  };
}

function systemOf(given: (name: string) => string | null): AmortizationSystem {
  if (given('amortization') === 'PRICE') return { kind: 'PRICE', rate: new Decimal(given('priceRate') ?? '0') };
  return { kind: given('amortization') === 'SAC' ? 'SAC' : 'BULLET' };
}

function recordOf(instalment: ReturnType<typeof schedule>[number]): Values {
  return {
    installmentNumber: String(instalment.installmentNumber),
    calculationDate: instalment.calculationDate,
    dueDate: instalment.dueDate,
    interestEvent: instalment.interest,
    amortizationPercentage: instalment.amortizationPercentage.toFixed(),
    interestPercentage: instalment.interestPercentage.toFixed(),
    principalPercentage: instalment.principalPercentage.toFixed(),
  };
}

const indexBase = oneOf(...Object.keys(indexBases));
const indexProRata = oneOf(...Object.keys(indexProRatas));
const projection = oneOf(...Object.keys(projectionClauses));

const texts = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([name, text]) => `${name}: ${text}.`)
    .join(' ');
const indexBaseTexts = texts(indexBases);
const indexProRataTexts = texts(indexProRatas);
const projectionTexts = texts(projectionClauses);

const followsPrices = ({ indexer }: Readonly<Values>) => isPriceIndex(indexer);

function onlyWith(field: string, indexers: string, holds: (values: Readonly<Values>) => boolean): Rule {
  return (values) =>
    (values[field] ?? null) === null || holds(values)
      ? undefined
      : { field, error: broken('ONLY_WITH_INDEXER', { indexers }) };
}

function neededBy(field: string, indexers: string, holds: (values: Readonly<Values>) => boolean): Rule {
  return (values) =>
    (values[field] ?? null) !== null || !holds(values)
      ? undefined
      : { field, error: broken('REQUIRED_WITH_INDEXER', { indexers }) };
}

const indexSinceStart: Rule = (values) =>
  followsPrices(values) && values['amortizationOf'] === 'ISSUE_VALUE' && values['indexBase'] !== 'START'
    ? { field: 'indexBase', error: broken('BASE_OF_ISSUE_VALUE') }
    : undefined;

const ofDi = ['diPercentage', 'diLagBusinessDays'];
const ofPrices = ['indexLagMonths', 'indexAnniversaryDay', 'indexProRata', 'indexBase', 'projection'];
const followsDi = ({ indexer }: Readonly<Values>) => indexer === 'DI';
const unkept = { kept: false };

/** Columns of a series that its prices and instalment amounts depend on. */
export function policyColumns(alias: string): string {
  return policyNames.map((name) => `${alias}.${name}`).join(', ');
}

const policyNames = [
  'remuneration_start_date',
  'issue_value',
  'day_count',
  'rate',
  'indexer',
  'di_percentage',
  'di_lag_business_days',
  'index_lag_months',
  'index_anniversary_day',
  'index_pro_rata',
  'index_base',
  'projection',
  'amortization_of',
];

export const tranches = kind('tranches', {
  label: 'tranche',
  description:
    'The series of the estate, with all inputs of their unit prices. A series that is not listed keeps its values.',
  table: 'tokenization.tranches',
  parent: ofPatrimony,
  key: ['ticker'],
  unique: true,
  settled: ({ today, priceDays }) =>
    `CASE WHEN o.priced_on IS NOT NULL AND o.remuneration_start_date < DATE '${today}' - ${priceDays}
       AND ROW(o.token_quantity, ${policyColumns('o')}) IS DISTINCT FROM ROW(n.token_quantity, ${policyColumns('n')}) THEN ${settledBy('SETTLED_PRICES', {})} END`,
  fields: [
    required('ticker', ticker, 'Ticker of the series, unique among all series without regard to case.', 'AURORA-TK1'),
    required('name', label, 'Name of the series.', 'Aurora Sênior'),
    required('status', oneOf(...trancheStatuses), 'Status. Only ACTIVE and FUNDRAISING series are priced.', 'ACTIVE'),
    required('className', oneOf(...riskClasses), 'Risk class, which is the order of payment.', 'SENIOR'),
    optional(
      'seriesTicker',
      ticker,
      'Ticker of the series of an operation whose units the tokens represent, in any case. When absent, it keeps its value.',
      'AURORA1',
      { keeps: true },
    ),
    required('tokenQuantity', decimal(18, 0, { min: '0' }), 'Number of units, each of which is a token.', 50000),
    optional(
      'investedAmount',
      amount,
      'Amount paid in by investors, in reais. When absent, it keeps its value, or is 0 for a new series.',
      '48500000.00',
      {
        keeps: true,
        fallback: '0',
      },
    ),
    required('remunerationStartDate', date, 'First day of remuneration.', '2025-03-14'),
    required('issueValue', decimal(24, 8, { above: '0' }), 'Value of a unit on that day, in reais.', '1000.00'),
    required('dayCount', oneOf('BUS252', 'CIVIL_365', 'CIVIL_360'), 'Day count convention.', 'BUS252'),
    optional(
      'rate',
      decimal(14, 8, { above: '-100' }),
      'Fixed rate, or spread over the index, in percent per year; 0 when absent.',
      '3.5',
      { fallback: '0' },
    ),
    required('indexer', oneOf(...indexerNames), 'Index of the remuneration, besides the rate.', 'DI'),
    optional(
      'diPercentage',
      decimal(14, 8, { min: '0' }),
      'Percentage of the DI rate that is paid; 100 when absent. DI only.',
      '100',
    ),
    optional(
      'diLagBusinessDays',
      integer(0, 30),
      'Business days from the publication of a DI rate to the day to which it applies; 0 when absent. DI only.',
      0,
    ),
    optional(
      'indexLagMonths',
      integer(0, 12),
      'Number of months between an anniversary and the earlier month whose index number applies to it. IPCA and IGPM only.',
      null,
    ),
    optional(
      'indexAnniversaryDay',
      integer(1, 31),
      'Day of the month on which the variation of a month ends. IPCA and IGPM only.',
      null,
    ),
    optional(
      'indexProRata',
      indexProRata,
      `Days over which the variation of a month is distributed; BUSINESS_DAYS when absent. IPCA and IGPM only. ${indexProRataTexts}`,
      null,
    ),
    optional(
      'indexBase',
      indexBase,
      `Day from which the index factor runs; LAST_EVENT when absent. IPCA and IGPM only. ${indexBaseTexts}`,
      null,
    ),
    optional(
      'projection',
      projection,
      `What the deed says of the days before an index number is published; PROVISIONAL when absent. IPCA and IGPM only. ${projectionTexts}`,
      null,
    ),
    optional(
      'amortizationOf',
      oneOf('BALANCE', 'ISSUE_VALUE'),
      'Base of the amortization percentages; BALANCE when absent.',
      'BALANCE',
      { fallback: 'BALANCE' },
    ),
    optional(
      'lateFinePercent',
      share,
      'Fine for a late payment, in percent of what is unpaid after the due day (multa); none when absent.',
      '2',
    ),
    optional(
      'lateInterestPercent',
      share,
      'Interest for a late payment, in percent a month (juros de mora); none when absent.',
      '1',
    ),
    optional(
      'lateInterestMode',
      oneOf(...Object.keys(lateInterestModes)),
      `Counting of its days; SIMPLE_30 when absent. With lateInterestPercent only. ${texts(lateInterestModes)}`,
      'SIMPLE_30',
    ),
    optional(
      'schedulePolicy.firstMonth',
      month,
      'Month of the first instalment. With schedulePolicy the instalments are generated, and schedule must be absent.',
      '2025-09',
      unkept,
    ),
    optional(
      'schedulePolicy.anniversaryDay',
      integer(1, 31),
      'Day of the month until which an instalment accrues; it is due on the first business day from then on.',
      15,
      unkept,
    ),
    optional('schedulePolicy.everyMonths', integer(1, 120), 'Months from one instalment to the next.', 6, unkept),
    optional('schedulePolicy.instalments', integer(1, 600), 'Number of instalments.', 10, unkept),
    optional(
      'schedulePolicy.amortization',
      oneOf(...amortizationSystems),
      'Repayment in full at the end, in equal parts, or by equal payments (tabela Price).',
      'SAC',
      unkept,
    ),
    optional(
      'schedulePolicy.priceRate',
      decimal(14, 8, { min: '0' }),
      'Rate of the equal payments, in percent per year. PRICE only.',
      null,
      unkept,
    ),
    optional(
      'schedulePolicy.accrueUntil',
      oneOf('ANNIVERSARY', 'DUE_DATE'),
      'Day until which an instalment accrues; ANNIVERSARY when absent.',
      'ANNIVERSARY',
      unkept,
    ),
    optional(
      'schedulePolicy.principalGrace',
      integer(0, 599),
      'Number of first instalments without amortization; 0 when absent.',
      2,
      unkept,
    ),
    optional(
      'schedulePolicy.interestGrace',
      integer(0, 599),
      'Number of first instalments without interest payment; 0 when absent.',
      0,
      unkept,
    ),
    optional(
      'schedulePolicy.graceInterest',
      oneOf('INCORPORATED', 'ACCRUED'),
      'Use of the interest that is not paid; INCORPORATED when absent.',
      'INCORPORATED',
      unkept,
    ),
    optional(
      'schedulePolicy.percentageDecimals',
      integer(0, 8),
      'Decimals of the amortization percentages; 4 when absent.',
      4,
      unkept,
    ),
  ],
  rules: [
    inCalendar('remunerationStartDate'),
    ...ofDi.map((field) => onlyWith(field, 'DI', followsDi)),
    ...ofPrices.map((field) => onlyWith(field, 'IPCA or IGPM', followsPrices)),
    neededBy('indexLagMonths', 'IPCA or IGPM', followsPrices),
    neededBy('indexAnniversaryDay', 'IPCA or IGPM', followsPrices),
    indexSinceStart,
    ({ lateInterestPercent, lateInterestMode }) =>
      lateInterestMode != null && lateInterestPercent == null
        ? { field: 'lateInterestPercent', error: broken('REQUIRED_WITH', { field: 'lateInterestMode' }) }
        : undefined,
  ],
  complete: (values) => {
    if (values['lateInterestPercent'] != null) values['lateInterestMode'] ??= 'SIMPLE_30';
    if (followsDi(values)) {
      values['diPercentage'] ??= '100';
      values['diLagBusinessDays'] ??= '0';
    }
    if (followsPrices(values)) {
      values['indexProRata'] ??= 'BUSINESS_DAYS';
      values['indexBase'] ??= 'LAST_EVENT';
      values['projection'] ??= 'PROVISIONAL';
    }
  },
  expand: makeSchedule,
  stamps: [
    { column: 'created_at', value: '$1', onChange: false },
    { column: 'updated_at', value: '$1', onChange: true },
  ],
});

/** The parent of records that belong to a series. Only JSON contains them, inside of their series. */
export const ofTranche: Parent = {
  kind: tranches,
  columns: [{ name: 'owner_tranche', sql: 'text', folds: true, field: undefined, known: undefined }],
  source: {
    owner: [['tranche_id', 'k.id']],
    join: 'JOIN known_tranches k ON k.ticker = lower(s.owner_tranche)',
    affected: 'k.id',
  },
};
