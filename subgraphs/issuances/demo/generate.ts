import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal } from '../../../shared/decimal.js';
import { createRandom } from '../../../shared/demo/random.js';
import { addDays, addMonths } from '../common/days.js';
import { contractColumns, makeCredits, monthOf, monthsBefore, positionColumns } from './credits.js';
import { makeOperation } from './operation.js';
import { projects, type Project } from './projects.js';
import { makeSeries, type DemoSeries } from './series.js';
import { sharedCredits } from './shared-credits.js';
import { trusteeOf } from './task.js';

export interface DemoFile {
  readonly name: string;
  readonly content: string;
}

export interface DemoOptions {
  /** The civil date in São Paulo: everything is dated relative to it, so that the demo never looks old. */
  readonly today: string;
  readonly calendar: Calendar;
  /** Another seed, other names and numbers. */
  readonly seed?: string;
}

/** Business days of price history of each series. */
export const historyDays = 400;
/** Month ends before the current month; fewer for a very large portfolio. */
const months = 4;
const monthsOfLarge = 2;

/** Makes the files of the demo, as an operator would bring them. The same day and seed make the same files. */
export function generateDemo({ today, calendar, seed = 'lastro' }: DemoOptions): DemoFile[] {
  const lastDay = calendar.preceding(addDays(today, -1));
  const prices = ['trancheTicker;date;value'];
  const trusteePrices = ['trancheTicker,date,value,trustee'];
  const contracts = [contractColumns];
  const positions = [positionColumns];
  const completeMonths = ['operationTicker;month;positions'];
  const operations: DemoFile[] = [];
  let turn = 0;
  for (const [at, project] of projects.entries()) {
    const random = createRandom(`${seed} ${project.ticker}`);
    // Old enough for the whole history to lie within the life of every series.
    const issueDate = calendar.following(`${addMonths(lastDay.slice(0, 7), -random.int(21, 44))}-10`);
    const series = project.classes.map((_, index) =>
      makeSeries({ random, calendar, lastDay, project, issueDate, number: index + 1, turn: turn++, historyDays }),
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
    // Of a few operations the positions of the last month are still coming in: its report is preliminary.
    for (const { month } of at % 6 === 1 ? monthEnds.slice(1) : monthEnds) {
      const count = own.filter((position) => position[2] === monthOf(month)).length;
      completeMonths.push(`${project.ticker};${month};${at % 2 === 0 ? count : ''}`);
    }
  }
  const csv = {
    'prices.csv': prices,
    'trustee-prices.csv': trusteePrices,
    'contracts.csv': contracts,
    'month-ends.csv': positions,
    'complete-months.csv': completeMonths,
  };
  return [...operations, ...Object.entries(csv).map(([name, lines]) => ({ name, content: `${lines.join('\n')}\n` }))];
}

/** What the credits owe, in cents: more than the holders are owed, less so where the operation is in default. */
function balanceFor({ status }: Project, series: readonly DemoSeries[]): bigint {
  const owed = series.reduce((sum, one) => sum.plus(one.owed), new Decimal(0));
  return BigInt(owed.times(status === 'Inadimplente' ? '97' : '118').toFixed(0));
}

/** What the trustee firm publishes: the same price, now and then a unit in the last place away, and for one operation clearly off. */
function trusteeLines({ fields, prices }: DemoSeries, at: number): string[] {
  return prices.slice(-40).map(({ date, value }, index) => {
    const off = at === 6 ? new Decimal(value).times('0.0005') : new Decimal(index % 9 === 0 ? '0.00000001' : 0);
    return `${fields.ticker},${date},${new Decimal(value).plus(off).toFixed(8)},${trusteeOf(at)}`;
  });
}
