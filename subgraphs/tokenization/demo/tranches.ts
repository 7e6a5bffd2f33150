import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { requireShared } from '../../securities/demo/series.js';
import type { Random } from '../../../shared/kernel/random.js';
import { addMonths, dayOfMonth } from '../../../shared/kernel/calendar/days.js';
import { schedule } from '../unit-price/schedule.js';
import type { SchedulePolicy } from '../unit-price/schedule-policy.js';
import type { Estate, Issue, Payback, Remuneration } from './estates.js';

export type Json = Readonly<Record<string, unknown>>;

export interface TrancheTask {
  readonly random: Random;
  readonly calendar: Calendar;
  readonly today: string;
  readonly estate: Estate;
  /** Whether due instalments are paid and ended series are closed; otherwise everything is still pending. */
  readonly settled: boolean;
}

/** The day of the following month on which the number of a price index is published in the demo. */
export const publicationDay = 12;

/** The day of the month on which demo series start and pay; late enough for price indices to be published. */
const anniversaryDay = 15;

export function makeTranches(task: TrancheTask): Json[] {
  return task.estate.issues.map((issue, at) => makeTranche(task, issue, at));
}

function makeTranche({ random, calendar, today, estate, settled }: TrancheTask, issue: Issue, at: number): Json {
  const start = startOf(issue, today);
  const tokenized = estate.tokenizes?.[issue.className];
  const drawn = random.pick([1000, 1000, 100]);
  const ownQuantity = Math.round((estate.thousands * 1000) / (at + 1) ** 2);
  const own = { quantity: ownQuantity, subscribed: issue.status === 'DRAFT' ? 0 : ownQuantity };
  const { quantity, subscribed } = tokenized === undefined ? own : requireShared(tokenized);
  const unit = tokenized === undefined ? drawn : 1000;
  // A series that has not begun to pay is imported with a policy, the others with each instalment.
  const pays = issue.age > 0;
  return {
    ticker: `${estate.ticker.slice(0, 8)}-TK${at + 1}`,
    name: `${estate.name.replace('Patrimônio Separado ', '')}, ${at + 1}ª série`,
    status: issue.status === 'CLOSED' && !settled ? 'ACTIVE' : issue.status,
    className: issue.className,
    ...(tokenized === undefined ? {} : { seriesTicker: tokenized }),
    tokenQuantity: quantity,
    investedAmount: new Decimal(subscribed).times(unit).toFixed(2),
    remunerationStartDate: start,
    issueValue: `${unit}.00`,
    ...terms[issue.remuneration](random),
    ...sharedTermsOf(tokenized),
    lateFinePercent: '2',
    lateInterestPercent: '1',
    ...(pays
      ? { schedule: scheduleOf({ issue, start, today, settled }, calendar) }
      : { schedulePolicy: policyFields(policyFor(issue, start)) }),
  };
}

/** Returns the terms that a series has from the one that it tokenizes; none where it tokenizes none. */
function sharedTermsOf(ticker: string | undefined): Json {
  if (ticker === undefined) return {};
  const { indexer, indexerPercent, rate } = requireShared(ticker);
  return indexer === 'CDI' ? { diPercentage: indexerPercent, rate } : { rate };
}

/** Returns the (past or future) day on which the remuneration of a series begins. */
export function startOf({ age }: Issue, today: string): string {
  return dayOfMonth(addMonths(today.slice(0, 7), -age), anniversaryDay);
}

const days252 = { dayCount: 'BUS252' };
const ofIndex = { indexLagMonths: 2, indexAnniversaryDay: anniversaryDay };

function percent(random: Random, from: number, to: number): string {
  return new Decimal(random.int(from, to)).div(100).toFixed(2);
}

const terms: Readonly<Record<Remuneration, (random: Random) => Json>> = {
  FIXED_365: (random) => ({ dayCount: 'CIVIL_365', indexer: 'NONE', rate: percent(random, 1350, 1600) }),
  FIXED_360: (random) => ({ dayCount: 'CIVIL_360', indexer: 'NONE', rate: percent(random, 1300, 1550) }),
  FIXED_252: (random) => ({ ...days252, indexer: 'NONE', rate: percent(random, 1400, 1850) }),
  DI_SPREAD: (random) => ({ ...days252, indexer: 'DI', diPercentage: '100', rate: percent(random, 150, 520) }),
  DI_SHARE: (random) => ({ ...days252, indexer: 'DI', diPercentage: String(random.int(104, 118)), rate: '0' }),
  IPCA: (random) => ({ ...days252, indexer: 'IPCA', ...ofIndex, rate: percent(random, 650, 950) }),
  // Its month begins the day before the number of the last one is published: on every day its newest price is made with a projection.
  IPCA_PROJECTED: (random) => ({
    ...days252,
    indexer: 'IPCA',
    indexLagMonths: 1,
    indexAnniversaryDay: publicationDay - 1,
    indexProRata: 'CALENDAR_DAYS',
    rate: percent(random, 650, 950),
  }),
  IGPM: (random) => ({ ...days252, indexer: 'IGPM', ...ofIndex, indexBase: 'START', rate: percent(random, 700, 1000) }),
  IGPM_OF_ISSUE: (random) => ({
    dayCount: 'CIVIL_360',
    indexer: 'IGPM',
    ...ofIndex,
    indexProRata: 'CALENDAR_DAYS',
    indexBase: 'START',
    amortizationOf: 'ISSUE_VALUE',
    rate: percent(random, 700, 900),
  }),
};

const steps: Readonly<Record<Payback, number>> = { SAC: 1, PRICE: 1, BULLET: 6, GRACE: 3, AT_END: 12 };

function policyFor({ payback, term }: Issue, start: string): SchedulePolicy {
  const everyMonths = Math.min(steps[payback], term);
  const instalments = Math.floor(term / everyMonths);
  const grace = payback === 'GRACE' ? 3 : 0;
  return {
    firstMonth: addMonths(start.slice(0, 7), everyMonths),
    anniversaryDay,
    everyMonths,
    instalments,
    accrueUntil: 'ANNIVERSARY',
    amortization:
      payback === 'PRICE'
        ? { kind: 'PRICE', rate: new Decimal(15) }
        : { kind: payback === 'SAC' || payback === 'GRACE' ? 'SAC' : 'BULLET' },
    principalGrace: payback === 'AT_END' ? instalments - 1 : grace,
    interestGrace: payback === 'AT_END' ? instalments - 1 : Math.max(0, grace - 1),
    graceInterest: payback === 'AT_END' ? 'ACCRUED' : 'INCORPORATED',
    percentageDecimals: 4,
  };
}

function policyFields({ amortization, ...policy }: SchedulePolicy): Json {
  return {
    ...policy,
    amortization: amortization.kind,
    priceRate: amortization.kind === 'PRICE' ? amortization.rate.toFixed() : null,
  };
}

interface ScheduleTask {
  readonly issue: Issue;
  readonly start: string;
  readonly today: string;
  readonly settled: boolean;
}

function scheduleOf({ issue, start, today, settled }: ScheduleTask, calendar: Calendar): Json[] {
  const amortizationOf = issue.remuneration === 'IGPM_OF_ISSUE' ? 'ISSUE_VALUE' : 'BALANCE';
  const instalments = schedule(policyFor(issue, start), calendar, amortizationOf);
  const due = instalments.filter(({ dueDate }) => dueDate < today).length;
  return instalments.map((one, at) => ({
    installmentNumber: one.installmentNumber,
    calculationDate: one.calculationDate,
    dueDate: one.dueDate,
    interestEvent: one.interest,
    amortizationPercentage: one.amortizationPercentage.toFixed(),
    interestPercentage: one.interestPercentage.toFixed(),
    principalPercentage: one.principalPercentage.toFixed(),
    ...(settled && at < due - issue.late ? { paidOn: one.dueDate } : {}),
  }));
}
