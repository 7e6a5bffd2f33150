import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { undelivered } from '../../../shared/events/outbox/relay.store.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { importTexts, type TextFile } from '../../../shared/import/import.js';
import { issuancesImport } from '../import/domain.js';
import { takeBooks, takeProjections } from '../engine/take-books.js';
import { findBegun } from './demo.store.js';
import { completeMonthsFile, generateDemo } from './generate.js';

/** Acts as an operator would. Returns false if operations exist already; an interrupted demo is continued. @param estates the demo of tokenization, whose books are taken before the months are complete */
export async function loadDemo(context: Context, estates: Promise<unknown>): Promise<boolean> {
  const begun = await findBegun(context);
  if (begun.isThere && !begun.isDemo) return false;
  if (begun.isWhole) return false;
  const calendar = await loadCalendar(context.manager);
  const files = generateDemo({ today: civilDate(context.clock.now()), calendar });
  const isLast = ({ name }: TextFile) => name === completeMonthsFile;
  if (!begun.isThere)
    await importTexts(
      context,
      issuancesImport,
      files.filter((file) => !isLast(file)),
    );
  await estates;
  await inTransaction(context, async (tx) => {
    await takeBooks(tx, await undelivered(tx, 'tranche.booked'));
    await takeProjections(tx, await undelivered(tx, 'tranche.projected'));
  });
  // Some payments of tranches are overdue.
  await importTexts(context, issuancesImport, files.filter(isLast), {
    correct: 'Pagamentos em atraso, em negociação com os titulares',
  });
  return true;
}
