import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { importFiles, type ImportOptions } from '../../../shared/import/import.js';
import { issuancesImport } from '../import/domain.js';
import { takeBooks } from '../engine/take-books.js';
import { announcedBooks, findBegun } from './demo.store.js';
import { completeMonthsFile, generateDemo, type DemoFile } from './generate.js';

/**
 * Fills an empty domain with the demo: writes its files to a temporary folder and imports them as an operator would. Tokenization has its demo by then,
 * and its books are taken before the months are complete, whose reports are made of them. Returns false and does nothing if there are operations
 * already, except that an interrupted demo is continued.
 */
export async function loadDemo(context: Context): Promise<boolean> {
  const begun = await findBegun(context);
  if (begun.isThere && !begun.isDemo) return false;
  if (begun.isWhole) return false;
  const calendar = await loadCalendar(context.manager);
  const files = generateDemo({ today: civilDate(context.clock.now()), calendar });
  const isLast = ({ name }: DemoFile) => name === completeMonthsFile;
  if (!begun.isThere)
    await importAll(
      context,
      files.filter((file) => !isLast(file)),
    );
  await inTransaction(context, async (tx) => takeBooks(tx, await announcedBooks(tx)));
  // Some payments of tranches are overdue.
  await importAll(context, files.filter(isLast), { correct: 'Pagamentos em atraso, em negociação com os titulares' });
  return true;
}

async function importAll(context: Context, files: readonly DemoFile[], options: ImportOptions = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-demo-'));
  try {
    for (const { name, content } of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const { errorCount, errors } = await importFiles(context, [issuancesImport], [folder], options);
    if (errorCount > 0) throw new Error(`The demo data has ${errorCount} errors, first: ${JSON.stringify(errors[0])}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
