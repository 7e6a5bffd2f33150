import type { TextFile } from '../../../shared/import/import.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { addDays, addMonths, lastDayOf } from '../../../shared/kernel/calendar/days.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { makeDemoCredits, sharedPortfolios, type DemoCredit } from '../../securities/demo/credits.js';
import { createRandom, type Random } from '../../../shared/kernel/random.js';
import {
  contractColumns,
  makeCredits,
  monthOf,
  monthsBefore,
  positionColumns,
  kindOf,
  overdueOf,
  pastOf,
  statusOf,
  toLines,
  type CreditLines,
  type MonthEnd,
} from './credits.js';
import { makeOperation } from './operation.js';
import { projects, type Project } from './projects.js';
import { makeSeries, type DemoSeries } from './series.js';
import { trusteeOf } from './task.js';

export interface DemoOptions {
  /** The civil date in São Paulo. All dates are relative to it, so that the demo always looks current. */
  readonly today: string;
  readonly calendar: Calendar;
  /** Another seed gives other names and numbers. */
  readonly seed?: string;
}

/** Imported last: it makes the reports of past months. */
export const completeMonthsFile = 'complete-months.csv';

/** Business days of price history of each series. */
export const historyDays = 400;
/** Number of month ends before the current month; less for a very large portfolio. */
const months = 4;
const monthsOfLarge = 2;

/** Generates the import files of the demo. The same day and seed give the same files. */
export function generateDemo({ today, calendar, seed = 'lastro' }: DemoOptions): TextFile[] {
  const lastDay = calendar.preceding(addDays(today, -1));
  const prices = ['trancheTicker;date;value'];
  const trusteePrices = ['trancheTicker,date,value,trustee'];
  const contracts = [contractColumns];
  const positions = [positionColumns];
  const completeMonths = ['operationTicker;month;positions'];
  const operations: TextFile[] = [];
  let turn = 0;
  for (const [at, project] of projects.entries()) {
    const random = createRandom(`${seed} ${project.ticker}`);
    // Early enough for the whole history to lie within the life of every series.
    const issueDate = calendar.following(`${addMonths(lastDay.slice(0, 7), -random.int(21, 44))}-10`);
    const series = project.classes.map((_, index) =>
      makeSeries({
        random,
        calendar,
        today,
        lastDay,
        project,
        issueDate,
        number: index + 1,
        turn: turn++,
        historyDays,
      }),
    );
    const operation = makeOperation({ random, today, project, at, series });
    operations.push({ name: `operations/${project.slug}.json`, content: `${JSON.stringify(operation, null, 2)}\n` });
    for (const one of series) {
      prices.push(...one.prices.map(({ date, value }) => `${one.fields.ticker};${date};${value}`));
      if (at % 3 === 0) trusteePrices.push(...trusteeLines(one, at));
    }
    const monthEnds = monthsBefore(lastDay, project.contracts > 5000 ? monthsOfLarge : months);
    const balance = balanceFor(project, series);
    const shared = sharedCredits({ random, project, today, lastDay, months: monthEnds, seed });
    const credits = shared ?? makeCredits({ random, project, today: lastDay, months: monthEnds, balance });
    contracts.push(...credits.map(({ contract }) => contract.join(';')));
    const own = credits.flatMap((credit) => credit.positions);
    positions.push(...own.map((position) => position.join(';')));
    const openFrom = series.flatMap(({ overdueSince }) => overdueSince ?? []).sort()[0];
    // A few operations lack the positions of the last month, and one a payment: the reports of these months are preliminary.
    for (const { month } of at % 6 === 1 ? monthEnds.slice(1) : monthEnds) {
      if (openFrom !== undefined && openFrom <= lastDayOf(month)) continue;
      const count = own.filter((position) => position[2] === monthOf(month)).length;
      completeMonths.push(`${project.ticker};${month};${at % 2 === 0 ? count : ''}`);
    }
  }
  const csv = {
    'prices.csv': prices,
    'trustee-prices.csv': trusteePrices,
    'contracts.csv': contracts,
    'month-ends.csv': positions,
    [completeMonthsFile]: completeMonths,
  };
  return [...operations, ...Object.entries(csv).map(([name, lines]) => ({ name, content: `${lines.join('\n')}\n` }))];
}

/** Returns the total balance of the credits, in cents: above the debt to the holders, but less so for the operation in default. */
function balanceFor({ status }: Project, series: readonly DemoSeries[]): bigint {
  const owed = series.reduce((sum, one) => sum.plus(one.owed), new Decimal(0));
  return BigInt(owed.times(status === 'Inadimplente' ? '97' : '118').toFixed(0));
}

/** Returns the trustee's prices: the same as the issuer's, now and then one unit off in the last place, and clearly off for one operation. */
function trusteeLines({ fields, prices }: DemoSeries, at: number): string[] {
  return prices.slice(-40).map(({ date, value }, index) => {
    const off = at === 6 ? new Decimal(value).times('0.0005') : new Decimal(index % 9 === 0 ? '0.00000001' : 0);
    return `${fields.ticker},${date},${new Decimal(value).plus(off).toFixed(8)},${trusteeOf(at)}`;
  });
}

export interface SharedCreditsTask {
  /** Random source of the project, for data of a credit that the estate lacks. */
  readonly random: Random;
  readonly project: Project;
  readonly seed: string;
  /** The day that the credits are generated for: the same as for the estate. */
  readonly today: string;
  readonly lastDay: string;
  readonly months: readonly MonthEnd[];
}

/** Returns the contracts of an operation backed by an estate of the demo: the credits of that estate; undefined for any other operation. */
function sharedCredits(task: SharedCreditsTask): CreditLines[] | undefined {
  const { portfolio: name } = task.project;
  if (name === null) return undefined;
  const { seed, today } = task;
  const credits = makeDemoCredits({ ...sharedPortfolios[name], seed, today, name, status: 'ACTIVE' });
  return credits.map((credit) => contractOf(task, credit));
}

function contractOf({ random, project, lastDay, months }: SharedCreditsTask, credit: DemoCredit): CreditLines {
  const { externalId, debtor, value, balance, rate, installments } = credit;
  const [first = '', last = first] = [installments[0]?.dueDate, installments.at(-1)?.dueDate];
  const issueDate = `${addMonths(first.slice(0, 7), -credit.everyMonths)}-${first.slice(8)}`;
  const oldest = installments.find(({ paidOn }) => paidOn === null)?.dueDate;
  const settled = oldest === undefined;
  const daysLate = settled ? 0 : Math.max(0, Math.round((Date.parse(lastDay) - Date.parse(oldest)) / 86_400_000));
  const quota = value / BigInt(installments.length * credit.everyMonths);
  // A settled credit had a tenth of its value open before.
  const share = settled ? value / 10n : balance;
  const { positions } = pastOf({ random, months, share, settled, daysLate, quota, issueDate });
  const contract = {
    externalId,
    debtor,
    type: random.pick(kindOf[project.type]),
    status: credit.isWrittenOff ? 'WRITTEN_OFF' : statusOf(settled, daysLate),
    value,
    balance,
    indexer: 'PREFIXED' as const,
    rate,
    issueDate,
    maturityDate: last,
    installments: installments.length,
    paidInstallments: installments.filter(({ paidOn }) => paidOn !== null).length,
    daysLate,
    overdue: overdueOf(daysLate, quota, balance),
    collateral: project.type !== 'CR' && random.chance(85) ? (value * BigInt(random.int(75, 210))) / 100n : null,
    positionDate: lastDay,
  };
  return toLines(project, contract, positions);
}
