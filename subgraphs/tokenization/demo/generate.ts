import type { Calendar } from '../../../shared/calendar/calendar.js';
import { createRandom } from '../../../shared/demo/random.js';
import { addMonths } from '../unit-price/months.js';
import { assetColumns, installmentColumns, makeCredits } from './credits.js';
import { estates, type Estate } from './estates.js';
import { diLines, lastPublishedMonth, priceIndexLines } from './market.js';
import { makeTranches, startOf, type Json } from './tranches.js';

export interface DemoFile {
  readonly name: string;
  readonly content: string;
}

export interface DemoOptions {
  /** The civil date in São Paulo. All dates are relative to it, so that the demo always looks current. */
  readonly today: string;
  readonly calendar: Calendar;
  /** Another seed gives other names and numbers. */
  readonly seed?: string;
}

export interface DemoFiles {
  /** Estates with their series in the initial state, their credits, and the published index values. */
  readonly opening: readonly DemoFile[];
  /** The same estates in today's state: due instalments are paid, ended series are closed. Prices must be computed before this import. */
  readonly standing: readonly DemoFile[];
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
    'indices.csv': ['index;date;value', ...indexLines({ today, calendar, seed })],
  };
  const csvFiles = Object.entries(csv).map(([name, lines]) => ({ name, content: `${lines.join('\n')}\n` }));
  return { opening: [...estateFiles(false), ...csvFiles], standing: estateFiles(true) };
}

function jsonFile({ ticker, name, status, operationTicker }: Estate, tranches: readonly Json[]): DemoFile {
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
