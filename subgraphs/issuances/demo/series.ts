import type { Calendar } from '../../../shared/calendar/calendar.js';
import { addMonths } from '../../../shared/calendar/days.js';
import { Decimal, round, truncate } from '../../../shared/decimal.js';
import type { Random } from '../../../shared/demo/random.js';
import { sharedSeries } from '../../../shared/demo/series.js';
import { dailyFactor, ifCodeFor, isinFor, remunerationFor, type Remuneration } from './market.js';
import type { Project } from './projects.js';

export interface DemoPrice {
  readonly date: string;
  readonly value: string;
}

/** A series in the importer's format, its prices and payments, and the debt to its holders. */
export interface DemoSeries {
  readonly fields: Readonly<Record<string, unknown>> & {
    readonly ticker: string;
    readonly maturityDate: string;
    readonly issueDate: string;
  };
  readonly prices: readonly DemoPrice[];
  readonly payments: readonly Readonly<Record<string, unknown>>[];
  readonly owed: Decimal;
}

export interface SeriesTask {
  readonly random: Random;
  readonly calendar: Calendar;
  readonly today: string;
  /** The last day with a price. */
  readonly lastDay: string;
  readonly project: Project;
  readonly issueDate: string;
  readonly number: number;
  /** Index of the series within the whole demo. */
  readonly turn: number;
  /** Business days of price history. */
  readonly historyDays: number;
}

const shareOf: Readonly<Record<string, readonly number[]>> = { U: [100], SJ: [80, 20], SMJ: [70, 20, 10] };

export function makeSeries(task: SeriesTask): DemoSeries {
  const { random, project, issueDate, number, turn } = task;
  const seniority = project.classes[number - 1] ?? 'UNIQUE';
  const share = shareOf[project.classes.map((name) => name.charAt(0)).join('')]?.[number - 1] ?? 100;
  const unitValue = new Decimal(random.pick([1000, 1000, 1, 10_000]));
  const quantity = new Decimal(project.millions).times(10_000).times(share).div(unitValue).toDecimalPlaces(0);
  const subscribed = random.chance(70) ? quantity : truncate(quantity.times(random.int(82, 99)).div(100), 0);
  const ticker = `${project.ticker.replace(/[^A-Z]/g, '')}${number}`;
  const shared = sharedSeries[ticker];
  const invented = remunerationFor(random, turn, seniority);
  const remuneration = shared ?? invented;
  const years = random.int(5, 11);
  const matures =
    shared === undefined
      ? addMonths(issueDate.slice(0, 7), years * 12)
      : addMonths(task.today.slice(0, 7), shared.monthsLeft);
  const maturityDate = task.calendar.following(`${matures}-15`);
  const life = live({
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
  };
  return { fields, prices: life.prices, payments: life.payments, owed: life.owed };
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
      if (!unpaid) {
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
  return { prices, payments, owed: value.times(subscribed) };
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
