import { z } from 'zod';
import { covenantCaveats, covenantComparisons, covenantMetrics } from './covenants.js';
import { seriesEnds } from './subordination.js';
import { riskClasses } from '../../securities/risk-class.js';
import { sum } from '../../../shared/kernel/decimal.js';

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const count = z.int().min(0);

/** Amounts are in reais with 2 decimals, percentages with 4, shares with 2. Stored reports are never rewritten: a field that is added needs a default. */
export const reportSchema = z.object({
  position: day,
  portfolio: z.object({
    baseDate: day.nullable(),
    contracts: count,
    debtors: count,
    balance: decimal,
    originalValue: decimal,
    averageTicket: decimal.nullable(),
    averageTermDays: decimal.nullable(),
    overdueBalance: decimal,
    overdueShare: decimal,
    rates: z.array(z.object({ indexer: z.string(), balance: decimal, share: decimal, averageRate: decimal })),
    settledContracts: count,
    writtenOffContracts: count,
    writtenOffBalance: decimal,
  }),
  concentration: z.object({
    largest: z.array(z.object({ debtors: count, balance: decimal, share: decimal })),
    hhi: decimal,
  }),
  aging: z.array(
    z.object({
      label: z.string(),
      fromDays: count,
      toDays: count.nullable(),
      contracts: count,
      balance: decimal,
      share: decimal,
    }),
  ),
  delinquency: z.array(
    z.object({
      overDays: count,
      contracts: count,
      balance: decimal,
      balanceShare: decimal.nullable(),
      overdueInstalments: decimal.nullable(),
      overdueShare: decimal.nullable(),
    }),
  ),
  provisioning: z.object({
    matrix: z.enum(['HOUSE', 'OPERATION']),
    bands: z.array(
      z.object({
        label: z.string(),
        fromDays: count,
        toDays: count.nullable(),
        rate: decimal,
        contracts: count,
        balance: decimal,
        provision: decimal,
      }),
    ),
    total: decimal,
    share: decimal,
  }),
  ltv: z.object({
    ltv: decimal.nullable(),
    contracts: count,
    balance: decimal,
    collateral: decimal,
    uncollateralizedBalance: decimal,
    bands: z.array(z.object({ label: z.string(), contracts: count, balance: decimal, share: decimal })),
  }),
  prepayment: z.object({
    smm: decimal.nullable(),
    cpr: decimal.nullable(),
    cprTwelveMonths: decimal.nullable(),
    measuredMonths: count,
    months: z.array(
      z.object({
        month: z.string(),
        opening: decimal,
        scheduled: decimal,
        prepaid: decimal,
        smm: decimal.nullable(),
        cpr: decimal.nullable(),
      }),
    ),
  }),
  covenants: z.array(
    z.object({
      name: z.string(),
      metric: z.enum(covenantMetrics),
      comparison: z.enum(covenantComparisons),
      threshold: decimal,
      value: decimal.nullable(),
      fulfilled: z.boolean().nullable(),
      caveat: z.enum(covenantCaveats).nullable(),
    }),
  ),
  subordination: z.object({
    series: z.array(
      z.object({
        number: count,
        ticker: z.string(),
        class: z.enum(riskClasses),
        balance: decimal,
        share: decimal,
        priceDate: day.nullable(),
        stale: z.boolean(),
        overdueTotal: decimal.nullable().default(null),
      }),
    ),
    ended: z.array(
      z.object({
        number: count,
        ticker: z.string(),
        class: z.enum(riskClasses),
        end: z.enum(seriesEnds),
        endedOn: day.nullable(),
      }),
    ),
    total: decimal,
    seniorBalance: decimal,
    mezzanineBalance: decimal,
    juniorBalance: decimal,
    uniqueBalance: decimal,
    index: decimal.nullable(),
    coverage: decimal.nullable(),
  }),
});

export type Report = z.infer<typeof reportSchema>;

type AgingBand = Report['aging'][number];

/** Adds up the bands of more than 90 days late, which is from when a credit counts as in default. */
export function over90(aging: readonly AgingBand[]): AgingBand {
  const bands = aging.filter(({ fromDays }) => fromDays > 90);
  return {
    label: '90+',
    fromDays: 91,
    toDays: null,
    contracts: bands.reduce((count, { contracts }) => count + contracts, 0),
    balance: sum(bands.map(({ balance }) => balance)).toFixed(2),
    share: sum(bands.map(({ share }) => share)).toFixed(2),
  };
}
