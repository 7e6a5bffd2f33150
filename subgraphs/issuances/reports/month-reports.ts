import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { createRevisionCache, ofOperation } from '../revision/revision.js';
import { computeMonths, type SourcedMonth } from './compute-months.js';
import { lastEndedMonth, monthsOf, sourceOf, type KnownMonths, type ReportMonth } from './report-months.js';
import {
  loadFinalMonths,
  loadKnownMonths,
  storedReports,
  type MonthKey,
  type MonthReport,
  type VersionKey,
} from './report.store.js';

export interface MonthReports {
  readonly months: (context: Context, operationIds: readonly string[]) => Promise<ReportMonth[][]>;
  /** Returns the requested version of a final one; without a version the newest, or else the preliminary one. Undefined if there is none. */
  readonly reports: (context: Context, keys: readonly VersionKey[]) => Promise<(MonthReport | undefined)[]>;
}

interface KeptMonths {
  readonly operationId: string;
  readonly known: KnownMonths;
  readonly months: ReportMonth[];
}

/** Creates the batch functions. Preliminary reports are computed again only when the data has changed. */
export function createMonthReports(calendar: () => Promise<Calendar>): MonthReports {
  const kept = createRevisionCache<KeptMonths>('report-months', 1000, ofOperation);
  const preliminary = createRevisionCache<MonthReport>('preliminary-reports', 500, operationOf);
  const outlines = (context: Context, ids: readonly string[]) => kept.many(context, ids, readMonths);

  /** Returns the preliminary reports for some keys, by key, where they exist. */
  const computed = async (context: Context, keys: readonly MonthKey[]): Promise<Map<string, MonthReport>> => {
    const found = await outlines(context, [...new Set(keys.map(({ operationId }) => operationId))]);
    const byOperation = new Map(found.map((outline) => [outline.operationId, outline]));
    const wanted = new Map<string, WantedMonth>();
    for (const key of keys) {
      const outline = byOperation.get(key.operationId);
      const month = outline?.months.find((one) => one.month === key.month);
      const source = outline && sourceOf(outline.known, key.month);
      if (month?.status === 'PRELIMINARY' && source !== undefined)
        wanted.set(nameOf(key), { ...key, source, shown: month });
    }
    const names = [...wanted.keys()];
    const reports = await preliminary.many(context, names, async (fresh, missing) =>
      readPreliminary(
        fresh,
        await calendar(),
        missing.flatMap((name) => wanted.get(name) ?? []),
      ),
    );
    return new Map(reports.map((report, index) => [names[index] ?? '', report]));
  };

  return {
    months: async (context, operationIds) => (await outlines(context, operationIds)).map(({ months }) => months),
    reports: async (context, keys) => {
      const stored = await storedReports(context, keys);
      const missing = keys.filter(({ version }, index) => version === null && stored[index] === undefined);
      const others = missing.length === 0 ? undefined : await computed(context, missing);
      return keys.map((key, index) => stored[index] ?? (key.version === null ? others?.get(nameOf(key)) : undefined));
    },
  };
}

const nameOf = ({ operationId, month }: MonthKey) => `${operationId} ${month}`;
const operationOf = (name: string) => name.split(' ', 1)[0] ?? name;

async function readMonths(context: Context, operationIds: readonly string[]): Promise<KeptMonths[]> {
  const known = await loadKnownMonths(context, operationIds);
  const final = await loadFinalMonths(context, operationIds);
  const lastMonth = lastEndedMonth(context);
  return operationIds.map((operationId, index) => {
    const own = known[index] ?? { positionMonths: [], baseMonth: null };
    return { operationId, known: own, months: monthsOf(own, final[index] ?? [], lastMonth) };
  });
}

type WantedMonth = SourcedMonth & { readonly shown: ReportMonth };

async function readPreliminary(
  context: Context,
  calendar: Calendar,
  wanted: readonly WantedMonth[],
): Promise<MonthReport[]> {
  const generatedAt = context.clock.now();
  const reports = await computeMonths(context, calendar, wanted);
  return wanted.flatMap(({ shown }, index) => {
    const report = reports[index];
    return report === undefined ? [] : { ...shown, report, generatedAt };
  });
}
