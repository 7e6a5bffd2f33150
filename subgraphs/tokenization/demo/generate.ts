import type { TextFile } from '../../../shared/import/import.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { makeDemoCredits, reais } from '../../securities/demo/credits.js';
import { createRandom } from '../../../shared/kernel/random.js';
import { addMonths } from '../../../shared/kernel/calendar/days.js';
import { estates, type Estate } from './estates.js';
import { makeTranches, publicationDay, startOf, type Json } from './tranches.js';
import { Decimal, round } from '../../../shared/kernel/decimal.js';
import { priceIndices as priceIndexNames, type PriceIndex } from '../unit-price/policy.js';

export interface DemoOptions {
  /** The civil date in São Paulo. All dates are relative to it, so that the demo always looks current. */
  readonly today: string;
  readonly calendar: Calendar;
  /** Another seed gives other names and numbers. */
  readonly seed?: string;
}

export interface DemoFiles {
  /** Estates with their series in the initial state, their credits, and the published index values. */
  readonly opening: readonly TextFile[];
  /** The same estates in today's state: due instalments are paid, ended series are closed. Prices must be computed before this import. */
  readonly standing: readonly TextFile[];
}

/** Generates the import files of the demo. The same day and seed give the same files. */
export function generateDemo({ today, calendar, seed = 'lastro' }: DemoOptions): DemoFiles {
  const estateFiles = (settled: boolean) =>
    estates.map((estate) => {
      const random = createRandom(`${seed} ${estate.ticker}`);
      return jsonFile(estate, makeTranches({ random, calendar, today, estate, settled }));
    });
  const credits = estates.flatMap((estate) => makeCredits({ seed, today, estate }));
  const csv = {
    'assets.csv': [assetColumns, ...credits.map(({ asset }) => asset.join(';'))],
    'asset-installments.csv': [
      installmentColumns,
      ...credits.flatMap(({ installments }) => installments.map((one) => one.join(';'))),
    ],
    'indices.csv': ['index;date;value;publishedOn', ...indexLines({ today, calendar, seed })],
    'projected-indices.csv': ['index;month;percent;publishedOn;source', ...projectionLines(today, seed)],
  };
  const csvFiles = Object.entries(csv).map(([name, lines]) => ({ name, content: `${lines.join('\n')}\n` }));
  return { opening: [...estateFiles(false), ...csvFiles], standing: estateFiles(true) };
}

function jsonFile({ ticker, name, status, operationTicker }: Estate, tranches: readonly Json[]): TextFile {
  const slug = ticker.toLowerCase();
  const estate = { ticker: `PAT-${ticker}`, name, slug: `patrimonio-${slug}`, status, operationTicker, tranches };
  return { name: `patrimonies/${slug}.json`, content: `${JSON.stringify(estate, null, 2)}\n` };
}

/** Covers every series from its first day on. */
function indexLines({ today, calendar, seed }: Required<DemoOptions>): string[] {
  const [start = today] = estates.flatMap(({ issues }) => issues.map((issue) => startOf(issue, today))).sort();
  const [from, to] = [addMonths(start.slice(0, 7), -4), lastPublishedMonth(today)];
  return [
    ...diLines(`${from}-01`, calendar.addBusinessDays(today, -1), calendar),
    ...priceIndexLines('IPCA', from, to, seed),
    ...priceIndexLines('IGPM', from, to, seed),
  ];
}

/* Invented index values of the demo, of realistic size but not the published ones. */

// Percent a year from a month on; the last level applies to all later months.
const diLevels: readonly (readonly [from: string, percent: string])[] = [
  ['2000-01', '13.65'],
  ['2023-08', '13.15'],
  ['2024-02', '11.15'],
  ['2024-09', '10.65'],
  ['2025-01', '13.15'],
  ['2025-06', '14.90'],
  ['2026-06', '14.15'],
];

/** Returns import lines with a DI rate for every business day between two days, both included. */
function diLines(from: string, to: string, calendar: Calendar): string[] {
  const lines: string[] = [];
  for (let day = calendar.following(from); day <= to; day = calendar.addBusinessDays(day, 1)) {
    const level = diLevels.findLast(([month]) => month <= day)?.[1] ?? '';
    lines.push(`DI;${day};${level};${day}`);
  }
  return lines;
}

const priceIndices: Readonly<
  Record<PriceIndex, { readonly first: string; readonly least: number; readonly most: number }>
> = {
  IPCA: { first: '4110.2', least: 5, most: 75 },
  IGPM: { first: '583.4', least: -35, most: 110 },
};

const firstMonth = '2015-01';

/** Includes both months. Monthly changes are random hundredths of a percent, always the same for the same seed. */
function priceIndexLines(index: PriceIndex, from: string, to: string, seed: string): string[] {
  const { first, least, most } = priceIndices[index];
  const lines: string[] = [];
  let number = new Decimal(first);
  for (let month = firstMonth; month <= to; month = addMonths(month, 1)) {
    const hundredths = createRandom(`${seed} ${index} ${month}`).int(least, most);
    number = round(number.times(10_000 + hundredths).div(10_000), 4);
    // IGP-M of one month was late: some days were priced with its projection, and the number came.
    const isLate = index === 'IGPM' && month === addMonths(to, -1);
    const publishedOn = `${addMonths(month, 1)}-${String(isLate ? publicationDay + 8 : publicationDay)}`;
    if (month >= from) lines.push(`${index};${month}-01;${number.toFixed(4)};${publishedOn}`);
  }
  return lines;
}

/** Returns import lines with the projections of the last two published months and of the next one: twice in the month, as far as it has passed. */
function projectionLines(today: string, seed: string): string[] {
  const last = lastPublishedMonth(today);
  return priceIndexNames.flatMap((index) =>
    [-1, 0, 1].flatMap((offset) => {
      const month = addMonths(last, offset);
      const { least, most } = priceIndices[index];
      const random = createRandom(`${seed} ${index} ${month} projection`);
      return [10, 25].flatMap((day) => {
        const [publishedOn, hundredths] = [`${month}-${String(day)}`, random.int(least, most)];
        const percent = new Decimal(hundredths).div(100).toFixed(2);
        return publishedOn > today ? [] : [`${index};${month};${percent};${publishedOn};ANBIMA`];
      });
    }),
  );
}

function lastPublishedMonth(today: string): string {
  return addMonths(today.slice(0, 7), Number(today.slice(8)) >= publicationDay ? -1 : -2);
}

const assetColumns =
  'patrimonyTicker;externalId;type;status;debtorName;debtorDocument;originalValue;currentBalance;interestRate;installments;batchName';
const installmentColumns = 'patrimonyTicker;assetExternalId;installmentNumber;dueDate;amount;paidAmount;paidOn';

/** A credit as a line of one import file, and its instalments as lines of another. */
export interface CreditLines {
  readonly asset: readonly string[];
  readonly installments: readonly (readonly string[])[];
}

export interface CreditsTask {
  readonly seed: string;
  readonly today: string;
  readonly estate: Estate;
}

function makeCredits({ seed, today, estate }: CreditsTask): CreditLines[] {
  const patrimony = `PAT-${estate.ticker}`;
  const credits = makeDemoCredits({ ...estate.credits, seed, today, name: estate.ticker, status: estate.status });
  return credits.map(({ externalId, type, debtor, value, balance, rate, installments, ...credit }, at) => ({
    asset: [
      patrimony,
      externalId,
      type,
      credit.isWrittenOff ? 'WRITTEN_OFF' : '',
      debtor.name,
      debtor.document,
      reais(value),
      reais(balance),
      reais(rate),
      String(installments.length),
      at % 7 === 0 ? '' : `Lote ${credit.batchMonth}`,
    ],
    installments: installments.map(({ dueDate, amount, part, paidOn }, index) => [
      patrimony,
      externalId,
      String(index + 1),
      dueDate,
      reais(amount),
      part === 0n ? '' : reais(part),
      paidOn ?? '',
    ]),
  }));
}
