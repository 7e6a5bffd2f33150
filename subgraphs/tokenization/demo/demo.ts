import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { importTexts } from '../../../shared/import/import.js';
import { tokenizationImport } from '../import/domain.js';
import { repriceAll } from '../price-runs/reprice-all.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { undelivered } from '../../../shared/events/outbox/relay.store.js';
import { createProjections } from '../schedule/projections.js';
import { announceProjections, bookTopic } from '../series/book.js';
import { markOverdueInstalments } from '../schedule/mark-overdue.js';
import { generateDemo } from './generate.js';

/** Acts as an operator would: initial state, prices, later payments, overdue instalments. Returns false if estates exist already; an interrupted demo is continued with the same files. */
export async function loadTokenizationDemo(context: Context): Promise<boolean> {
  const today = await dayOfDemo(context);
  if (today === undefined) return false;
  const calendar = await loadCalendar(context.manager);
  const { opening, standing } = generateDemo({ today, calendar });
  await importTexts(context, tokenizationImport, opening);
  await repriceAll(context, { calendar });
  await importTexts(context, tokenizationImport, standing);
  await markOverdueInstalments(context, calendar);
  const project = announceProjections(createProjections(() => Promise.resolve(calendar)));
  await inTransaction(context, async (tx) => project(tx, await undelivered(tx, bookTopic)));
  return true;
}

/** Returns the day that the demo is generated for; undefined if there is nothing to do. Only a complete demo has a closed series. */
async function dayOfDemo({ manager, clock }: Context): Promise<string | undefined> {
  const begun = await manager.row<{ readonly at: Date; readonly isDemo: boolean; readonly isWhole: boolean }>(
    `SELECT min(created_at) AS at, bool_or(ticker = 'PAT-AURORA') AS "isDemo",
       EXISTS (SELECT FROM tokenization.tranches WHERE status = 'CLOSED') AS "isWhole"
     FROM tokenization.patrimonies HAVING count(*) > 0`,
  );
  if (begun === undefined) return civilDate(clock.now());
  return begun.isDemo && !begun.isWhole ? civilDate(begun.at) : undefined;
}
