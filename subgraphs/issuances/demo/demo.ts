import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { importFiles } from '../../../shared/import/import.js';
import { issuancesImport } from '../import/domain.js';
import { generateDemo } from './generate.js';

/**
 * Fills an empty domain with the demo: writes its files to a temporary folder and imports them as an operator would, which
 * also creates the reports of past months. Returns false and does nothing if an operation exists already.
 */
export async function loadDemo(context: Context): Promise<boolean> {
  const known = await context.manager.rows<unknown>('SELECT FROM issuances.operations LIMIT 1');
  if (known.length > 0) return false;
  const calendar = await loadCalendar(context.manager);
  const folder = await mkdtemp(join(tmpdir(), 'lastro-demo-'));
  try {
    for (const { name, content } of generateDemo({ today: civilDate(context.clock.now()), calendar })) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const { errorCount, errors } = await importFiles(context, [issuancesImport], [folder]);
    if (errorCount > 0) throw new Error(`The demo data has ${errorCount} errors, first: ${JSON.stringify(errors[0])}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}
