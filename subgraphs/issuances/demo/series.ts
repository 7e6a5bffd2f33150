import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { addMonths } from '../../../shared/kernel/calendar/days.js';
import { Decimal, round, truncate } from '../../../shared/kernel/decimal.js';
import type { RiskClass } from '../../securities/risk-class.js';
import type { Indexer } from '../../securities/indexer.js';
import { sharedSeries } from '../../securities/demo/series.js';
import type { Random } from '../../../shared/kernel/random.js';
import type { Project } from './projects.js';
import { isinCheckDigit } from '../import/model/isin.js';

export interface DemoPrice {
  readonly date: string;
  readonly value: string;
}

export interface DemoSeries {
  readonly fields: Readonly<Record<string, unknown>> & {
    readonly ticker: string;
    readonly maturityDate: string;
    readonly issueDate: string;
  };
  readonly prices: readonly DemoPrice[];
  readonly payments: readonly Readonly<Record<string, unknown>>[];
  readonly owed: Decimal;
  /** Due date of a payment that was not made; null if all were. */
  readonly overdueSince: string | null;
}

export interface SeriesTask {
  readonly random: Random;
  readonly calendar: Calendar;
  readonly today: string;
  readonly lastDay: string;
  readonly project: Project;
  readonly issueDate: string;
  readonly number: number;
  /** Index of the series within the whole demo. */
  readonly turn: number;
  readonly historyDays: number;
}

const shareOf: Readonly<Record<string, readonly number[]>> = { U: [100], SJ: [80, 20], SMJ: [70, 20, 10] };

export function makeSeries(task: SeriesTask): DemoSeries {
  const { random, project, number, turn } = task;
  const seniority = project.classes[number - 1] ?? 'UNIQUE';
  const share = shareOf[project.classes.map((name) => name.charAt(0)).join('')]?.[number - 1] ?? 100;
  const drawnValue = new Decimal(random.pick([1000, 1000, 1, 10_000]));
  const ticker = `${project.ticker.replace(/[^A-Z]/g, '')}${number}`;
  const shared = sharedSeries[ticker];
  const unitValue = shared === undefined ? drawnValue : new Decimal(1000);
  const issueDate = shared === undefined ? task.issueDate : `${addMonths(task.today.slice(0, 7), -shared.age)}-15`;
  const quantity = new Decimal(project.millions).times(10_000).times(share).div(unitValue).toDecimalPlaces(0);
  const sold = random.chance(70) ? quantity : truncate(quantity.times(random.int(82, 99)).div(100), 0);
  const subscribed = shared === undefined ? sold : new Decimal(shared.subscribed);
  const invented = remunerationFor(random, turn, seniority);
  const remuneration = shared ?? invented;
  const years = random.int(5, 11);
  const matures =
    shared === undefined
      ? addMonths(issueDate.slice(0, 7), years * 12)
      : addMonths(task.today.slice(0, 7), shared.monthsLeft);
  const maturityDate = task.calendar.following(`${matures}-15`);
  // The tranche that names a series brings its prices and payments.
  const none = { prices: [], payments: [], owed: unitValue.times(subscribed), overdueSince: null };
  const life =
    shared !== undefined
      ? none
      : live({
          ...task,
          ticker,
          maturityDate,
          remuneration,
          unitValue,
          subscribed,
          bullet: seniority === 'JUNIOR',
        });
  const open = subscribed.lessThan(quantity);
  const fields = {
    number,
    ticker,
    class: seniority,
    status: open ? 'Em distribuição' : 'Ativa',
    indexer: remuneration.indexer,
    indexerPercent: remuneration.indexerPercent,
    rate: remuneration.rate,
    remunerationLabel: turn === 13 ? 'IPCA + 7,20% a.a. até 2028 e 8,00% a.a. depois' : null,
    issueDate,
    maturityDate,
    isin: turn % 7 === 6 ? null : isinFor(project.type, turn),
    ifCode: turn % 9 === 8 ? null : ifCodeFor(random, project.type, issueDate),
    unitValue: unitValue.toFixed(2),
    quantity: quantity.toFixed(0),
    raisedAmount: turn % 8 === 7 ? null : round(subscribed.times(unitValue), 2).toFixed(2),
    subscribedQuotas: turn % 8 === 7 ? null : subscribed.toFixed(0),
    maxDailyChangePercent: seniority === 'JUNIOR' ? '10' : null,
  };
  return { fields, ...life };
}

interface Life extends SeriesTask {
  readonly ticker: string;
  readonly maturityDate: string;
  readonly remuneration: Remuneration;
  readonly unitValue: Decimal;
  readonly subscribed: Decimal;
  /** Pays everything at its end. */
  readonly bullet: boolean;
}

/** Simulates a quota that grows day by day and pays by its schedule, from issue to the last day with a price. */
function live(life: Life) {
  const { calendar, issueDate, lastDay, historyDays, remuneration, subscribed } = life;
  const schedule = scheduleOf(life);
  const firstShown = calendar.addBusinessDays(lastDay, 1 - historyDays);
  const defaulted = life.project.status === 'Inadimplente';
  const prices: DemoPrice[] = [];
  const payments: Readonly<Record<string, unknown>>[] = [];
  let face = life.unitValue;
  let value = face;
  let overdueSince: string | null = null;
  for (
    let day = calendar.addBusinessDays(calendar.following(issueDate), 1);
    day <= lastDay;
    day = calendar.addBusinessDays(day, 1)
  ) {
    value = truncate(value.times(dailyFactor(remuneration, day)), 8);
    const due = schedule.get(day);
    if (due !== undefined) {
      const unpaid = defaulted && due.last;
      const principal = truncate(face.times(due.share), 8);
      payments.push(
        payment(life, due, { interest: value.minus(face), principal, paidDate: unpaid ? null : paidOn(life, day) }),
      );
      if (unpaid) overdueSince = day;
      else {
        face = face.minus(principal);
        value = face;
      }
    }
    if (day >= firstShown) prices.push({ date: day, value: value.toFixed(8) });
  }
  const ahead = [...schedule.values()].filter(({ date }) => date > lastDay).slice(0, 12);
  for (const due of ahead) {
    const principal = truncate(face.times(due.share), 8);
    const interest = life.bullet || remuneration.indexer !== 'PREFIXED' ? null : interestOf(life, face, due);
    payments.push(
      payment(life, due, { interest, principal: due.share.isZero() ? new Decimal(0) : principal, paidDate: null }),
    );
    face = face.minus(principal);
  }
  return { prices, payments, owed: value.times(subscribed), overdueSince };
}

interface Due {
  readonly installment: number;
  readonly date: string;
  /** Share of the face value at that time. */
  readonly share: Decimal;
  readonly months: number;
  /** Whether it is the last one before the demo's present. */
  readonly last: boolean;
}

/** Returns the payment days of a series: monthly or half-yearly, the last one at its maturity. */
function scheduleOf({ calendar, project, issueDate, maturityDate, lastDay, bullet }: Life): ReadonlyMap<string, Due> {
  const monthly = project.type === 'CRI' || project.type === 'CR';
  const months = monthly ? 1 : 6;
  const dates: string[] = [];
  for (let month = maturityDate.slice(0, 7); month > issueDate.slice(0, 7); month = addMonths(month, -months)) {
    dates.unshift(calendar.following(`${month}-15`));
  }
  const paying = bullet ? dates.slice(-1) : dates;
  const last = paying.findLast((date) => date <= lastDay);
  return new Map(
    paying.map((date, at) => {
      const left = paying.length - at;
      return [date, { installment: at + 1, date, share: new Decimal(1).div(left), months, last: date === last }];
    }),
  );
}

/** Most payments are made on their day, some a few days later. */
function paidOn({ random, calendar, lastDay }: Life, day: string): string {
  const late = random.chance(3) ? calendar.addBusinessDays(day, random.int(1, 4)) : day;
  return late <= lastDay ? late : day;
}

function interestOf({ remuneration }: Life, face: Decimal, { months }: Due): Decimal {
  const factor = new Decimal(remuneration.rate).div(100).plus(1).pow(new Decimal(months).div(12));
  return face.times(factor.minus(1));
}

interface Amounts {
  readonly interest: Decimal | null;
  readonly principal: Decimal;
  readonly paidDate: string | null;
}

function payment(
  { ticker, subscribed, bullet }: Life,
  { installment, date }: Due,
  { interest, principal, paidDate }: Amounts,
) {
  const inReais = (amount: Decimal) => round(amount.times(subscribed), 2);
  const parts = { interest: interest === null ? null : inReais(interest), principal: inReais(principal) };
  return {
    trancheTicker: ticker,
    installmentNumber: installment,
    event: bullet ? 'Resgate final' : parts.principal.isZero() ? 'Juros' : 'Juros e amortização',
    dueDate: date,
    paidDate,
    interestValue: parts.interest?.toFixed(2) ?? null,
    principalValue: parts.principal.toFixed(2),
    totalValue: parts.interest === null ? null : parts.interest.plus(parts.principal).toFixed(2),
  };
}

interface Remuneration {
  readonly indexer: Indexer;
  readonly indexerPercent: string;
  readonly rate: string;
}

// Percent per year from a month on. Roughly historical; the last level applies to all later months.
const interbankRate: readonly (readonly [from: string, percent: string])[] = [
  ['2023-08', '13.15'],
  ['2024-02', '11.15'],
  ['2024-09', '10.65'],
  ['2025-01', '13.15'],
  ['2025-06', '14.90'],
  ['2026-06', '14.15'],
];
const yearlyPercent: Readonly<Record<Exclude<Indexer, 'CDI' | 'SELIC'>, string>> = {
  PREFIXED: '0',
  IPCA: '4.6',
  IGPM: '3.9',
  TR: '1.7',
  USD: '2.1',
};

const perDay = new Decimal(1).div(252);
const kept = new Map<string, Decimal>();

/** Returns the growth factor of a quota on a business day: the return of `percent` of the index times the rate, each compounded over 252 days. */
function dailyFactor({ indexer, indexerPercent, rate }: Remuneration, day: string): Decimal {
  const level = levelOf(indexer, day);
  const key = `${level} ${indexerPercent} ${rate}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const index = daily(level).minus(1).times(indexerPercent).div(100).plus(1);
  const factor = index.times(daily(rate)).toDecimalPlaces(16);
  kept.set(key, factor);
  return factor;
}

function daily(percent: string): Decimal {
  return new Decimal(percent).div(100).plus(1).pow(perDay);
}

function levelOf(indexer: Indexer, day: string): string {
  if (indexer !== 'CDI' && indexer !== 'SELIC') return yearlyPercent[indexer];
  const month = day.slice(0, 7);
  return interbankRate.findLast(([from]) => from <= month)?.[1] ?? '13.65';
}

const hundred = '100';

/** Returns remunerations in the market's notation, in turn, so that every index occurs. Subordinated series earn more. */
function remunerationFor(random: Random, turn: number, seniority: RiskClass): Remuneration {
  const extra = { SENIOR: 0, UNIQUE: 50, MEZZANINE: 250, JUNIOR: 500 }[seniority];
  const spread = (from: number, to: number) => new Decimal(random.int(from, to) + extra).div(100).toFixed(2);
  const forms: readonly (() => Remuneration)[] = [
    () => ({ indexer: 'CDI', indexerPercent: hundred, rate: spread(150, 420) }),
    () => ({ indexer: 'IPCA', indexerPercent: hundred, rate: spread(650, 920) }),
    () => ({ indexer: 'PREFIXED', indexerPercent: hundred, rate: spread(1280, 1550) }),
    () => ({ indexer: 'IPCA', indexerPercent: hundred, rate: spread(680, 980) }),
    () => ({ indexer: 'CDI', indexerPercent: String(random.int(104, 122)), rate: '0' }),
    () => ({ indexer: 'IGPM', indexerPercent: hundred, rate: spread(700, 950) }),
    () => ({ indexer: 'CDI', indexerPercent: hundred, rate: spread(180, 450) }),
    () => ({ indexer: 'USD', indexerPercent: hundred, rate: spread(550, 780) }),
    () => ({ indexer: 'TR', indexerPercent: hundred, rate: spread(900, 1150) }),
    () => ({ indexer: 'SELIC', indexerPercent: hundred, rate: spread(120, 300) }),
  ];
  const form = forms[turn % forms.length];
  if (form === undefined) throw new RangeError('There is no form for this turn');
  return form();
}

function isinFor(type: 'CR' | 'CRI' | 'CRA' | 'DEB', turn: number): string {
  const base = `BRLSTR${{ CR: 'CRX', CRI: 'CRI', CRA: 'CRA', DEB: 'DBS' }[type]}${turn.toString(36).toUpperCase().padStart(2, '0')}`;
  return base + isinCheckDigit(base);
}

/** Returns a registrar's code for the series; its form depends on the type. */
function ifCodeFor(random: Random, type: 'CR' | 'CRI' | 'CRA' | 'DEB', issueDate: string): string {
  const [year, month] = [issueDate.slice(2, 4), 'ABCDEFGHIJKL'.charAt(Number(issueDate.slice(5, 7)) - 1)];
  if (type === 'CRI') return `${year}${month}${random.digits(7)}`;
  if (type === 'CRA') return `CRA0${year}${random.digits(3)}${random.pick(['A', 'B', 'K', 'X'])}`;
  return type === 'DEB' ? `LSTR${random.digits(2)}` : `CR${year}${month}${random.digits(6)}`;
}
