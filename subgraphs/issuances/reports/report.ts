import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { agingBands, fillBands, type LatenessGroup } from '../../securities/aging.js';
import { testCovenants, type Covenant, type CovenantMetric, type TestedCovenant } from './covenants.js';
import { loanToValue, type LtvGroup } from './ltv.js';
import { prepaymentSpeed, type MonthFlow } from './prepayment.js';
import { provision, type Provisioning, type ProvisioningBand } from './provisioning.js';
import type { Report } from './report-schema.js';
import { percentOf, shares } from './shares.js';
import { standingOf, type SeriesFacts } from './series-standing.js';
import { subordinate, type EndedSeries, type Subordination } from './subordination.js';

/** Contracts with status ACTIVE or DEFAULTED and a balance count, aggregated as far as the figures allow; settled and written-off ones are only mentioned. */
export interface PortfolioFacts {
  readonly position: string;
  /** The month of the report, `YYYY-MM`; null for the live position. */
  readonly month: string | null;
  /** The latest day with known balances; null without contracts. */
  readonly baseDate: string | null;
  readonly lateness: readonly LatenessGroup[];
  readonly originalValue: Decimal;
  /** Sum of balance times calendar days to maturity; a contract past its maturity has 0 days. */
  readonly balanceDays: Decimal;
  /** For each indexer, the sum of balances, and the sum of balance times rate. */
  readonly rates: readonly { readonly indexer: string; readonly balance: Decimal; readonly weighted: Decimal }[];
  readonly debtors: DebtorFacts;
  readonly settledContracts: number;
  readonly writtenOff: { readonly contracts: number; readonly balance: Decimal };
  readonly collateral: readonly LtvGroup[];
  /** Oldest first, none after the month of `position`. */
  readonly months: readonly MonthFlow[];
  /** Every series issued up to `position`. */
  readonly series: readonly SeriesFacts[];
  /** The day of the last unit price that is due; undefined if unknown. */
  readonly priceDueOn: string | undefined;
  /** The operation's own matrix; empty for the default one. */
  readonly matrix: readonly ProvisioningBand[];
  readonly covenants: readonly Covenant[];
}

export function computeReport(facts: PortfolioFacts): Report {
  const balance = sum(facts.lateness.map((group) => group.balance));
  const concentration = concentrate(facts.debtors, balance);
  const provisioning = provision(facts.lateness, facts.matrix);
  const delinquency = measureDelinquency(facts.lateness, balance);
  const ltv = loanToValue(facts.collateral);
  const { outstanding, ended } = standingOf(facts.series, facts.position, facts.priceDueOn);
  const subordination = subordinate(outstanding, balance);
  const figures: Record<CovenantMetric, Decimal | undefined> = {
    SUBORDINATION: subordination.index,
    COVERAGE: subordination.coverage,
    LTV: ltv.ltv,
    LARGEST_DEBTOR: concentration.largest[0]?.share,
    LARGEST_5_DEBTORS: concentration.largest[1]?.share,
    LARGEST_10_DEBTORS: concentration.largest[2]?.share,
    LARGEST_20_DEBTORS: concentration.largest[3]?.share,
    OVERDUE_OVER_30: delinquency.find(({ overDays }) => overDays === 30)?.balanceShare,
    OVERDUE_OVER_90: delinquency.find(({ overDays }) => overDays === 90)?.balanceShare,
    PROVISION: percentOf(provisioning.total, balance),
  };
  return {
    position: facts.position,
    portfolio: portfolioSection(facts, balance),
    concentration: concentrationSection(concentration),
    aging: agingSection(facts.lateness),
    delinquency: delinquency.map(delinquencyLine),
    provisioning: provisioningSection(provisioning, balance),
    ltv: ltvSection(ltv, balance),
    prepayment: prepaymentSection(prepaymentSpeed(facts.months, facts.month)),
    covenants: testCovenants(
      facts.covenants,
      figures,
      outstanding.some((one) => one.stale && !one.balance.isZero()),
    ).map(covenantLine),
    subordination: subordinationSection(subordination, ended),
  };
}

const money = (value: Decimal) => round(value, 2).toFixed(2);
const percent = (value: Decimal) => round(value, 4).toFixed(4);
const percentOrNull = (value: Decimal | undefined) => (value === undefined ? null : percent(value));

function portfolioSection(facts: PortfolioFacts, balance: Decimal): Report['portfolio'] {
  const contracts = facts.lateness.reduce((total, group) => total + group.contracts, 0);
  const overdue = sum(facts.lateness.filter(({ daysLate }) => daysLate > 0).map((group) => group.balance));
  const parts = shares(facts.rates.map((rate) => rate.balance));
  return {
    baseDate: facts.baseDate,
    contracts,
    debtors: facts.debtors.debtors,
    balance: money(balance),
    originalValue: money(facts.originalValue),
    averageTicket: contracts === 0 ? null : money(balance.div(contracts)),
    averageTermDays: balance.isZero() ? null : round(facts.balanceDays.div(balance), 0).toFixed(0),
    overdueBalance: money(overdue),
    overdueShare: percent(percentOf(overdue, balance) ?? new Decimal(0)),
    rates: facts.rates.map((rate, index) => ({
      indexer: rate.indexer,
      balance: money(rate.balance),
      share: (parts[index] ?? new Decimal(0)).toFixed(2),
      averageRate: percent(rate.balance.isZero() ? new Decimal(0) : rate.weighted.div(rate.balance)),
    })),
    settledContracts: facts.settledContracts,
    writtenOffContracts: facts.writtenOff.contracts,
    writtenOffBalance: money(facts.writtenOff.balance),
  };
}

function concentrationSection({ largest, hhi }: ReturnType<typeof concentrate>): Report['concentration'] {
  return {
    largest: largest.map((top) => ({ ...top, balance: money(top.balance), share: percent(top.share) })),
    hhi: money(hhi),
  };
}

function agingSection(groups: readonly LatenessGroup[]): Report['aging'] {
  const bands = fillBands(agingBands, groups);
  const parts = shares(bands.map((band) => band.balance));
  return bands.map((band, index) => ({
    ...band,
    balance: money(band.balance),
    share: (parts[index] ?? new Decimal(0)).toFixed(2),
  }));
}

function delinquencyLine(line: ReturnType<typeof measureDelinquency>[number]): Report['delinquency'][number] {
  return {
    ...line,
    balance: money(line.balance),
    overdueInstalments: line.overdueInstalments === undefined ? null : money(line.overdueInstalments),
    balanceShare: percentOrNull(line.balanceShare),
    overdueShare: percentOrNull(line.overdueShare),
  };
}

function provisioningSection({ matrix, bands, total }: Provisioning, balance: Decimal): Report['provisioning'] {
  return {
    matrix,
    bands: bands.map((band) => ({
      ...band,
      rate: percent(band.rate),
      balance: money(band.balance),
      provision: money(band.provision),
    })),
    total: money(total),
    share: percent(percentOf(total, balance) ?? new Decimal(0)),
  };
}

function ltvSection(ltv: ReturnType<typeof loanToValue>, whole: Decimal): Report['ltv'] {
  return {
    ltv: percentOrNull(ltv.ltv),
    contracts: ltv.contracts,
    balance: money(ltv.balance),
    collateral: money(ltv.collateral),
    uncollateralizedBalance: money(whole.minus(ltv.balance)),
    bands: ltv.bands.map((band) => ({ ...band, balance: money(band.balance), share: band.share.toFixed(2) })),
  };
}

function prepaymentSection(speed: ReturnType<typeof prepaymentSpeed>): Report['prepayment'] {
  return {
    smm: percentOrNull(speed.smm),
    cpr: percentOrNull(speed.cpr),
    cprTwelveMonths: percentOrNull(speed.cprTwelveMonths),
    measuredMonths: speed.measuredMonths,
    months: speed.months.map((month) => ({
      ...month,
      opening: money(month.opening),
      scheduled: money(month.scheduled),
      prepaid: money(month.prepaid),
      smm: percentOrNull(month.smm),
      cpr: percentOrNull(month.cpr),
    })),
  };
}

function covenantLine(covenant: TestedCovenant): Report['covenants'][number] {
  return {
    ...covenant,
    threshold: percent(covenant.threshold),
    value: percentOrNull(covenant.value),
    fulfilled: covenant.fulfilled ?? null,
    caveat: covenant.caveat ?? null,
  };
}

function subordinationSection(subordination: Subordination, ended: readonly EndedSeries[]): Report['subordination'] {
  const { series, total, byClass, index, coverage } = subordination;
  return {
    series: series.map((one) => ({ ...one, balance: money(one.balance), share: one.share.toFixed(2) })),
    ended: [...ended],
    total: money(total),
    seniorBalance: money(byClass.SENIOR),
    mezzanineBalance: money(byClass.MEZZANINE),
    juniorBalance: money(byClass.JUNIOR),
    uniqueBalance: money(byClass.UNIQUE),
    index: percentOrNull(index),
    coverage: percentOrNull(coverage),
  };
}

interface DebtorFacts {
  readonly debtors: number;
  /** Balances of the 20 largest debtors (or all, if fewer), largest first. */
  readonly largest: readonly Decimal[];
  /** Sum of the squares of all debtors' balances. */
  readonly squares: Decimal;
}

export const topSizes = [1, 5, 10, 20] as const;

/** The Herfindahl-Hirschman index is the sum of the squares of the debtors' shares in percent, from 10000 ÷ debtors to 10000; 0 for an empty portfolio. */
function concentrate({ largest, squares }: DebtorFacts, whole: Decimal) {
  return {
    largest: topSizes.map((size) => {
      const balance = sum(largest.slice(0, size));
      return { debtors: size, balance, share: percentOf(balance, whole) ?? new Decimal(0) };
    }),
    hhi: whole.isZero() ? new Decimal(0) : squares.times(10_000).div(whole.times(whole)),
  };
}

/** Numbers of days late over which delinquency is measured; 0 counts every credit in arrears. */
const overDays = [0, 30, 60, 90] as const;

/** Measures credits whose oldest unpaid instalment is more than some days late, by their whole balance and by what of it is due and unpaid, which is undefined where it is not known of one of them. */
function measureDelinquency(groups: readonly LatenessGroup[], portfolio: Decimal) {
  return overDays.map((days) => {
    const late = groups.filter(({ daysLate }) => daysLate > days);
    const known = late.flatMap(({ overdue }) => overdue ?? []);
    const balance = sum(late.map((group) => group.balance));
    const overdueInstalments = known.length === late.length ? sum(known) : undefined;
    return {
      overDays: days,
      contracts: late.reduce((total, group) => total + group.contracts, 0),
      balance,
      overdueInstalments,
      balanceShare: percentOf(balance, portfolio),
      overdueShare: overdueInstalments && percentOf(overdueInstalments, portfolio),
    };
  });
}
