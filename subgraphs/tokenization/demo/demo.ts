import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { importFiles } from '../../../shared/import/import.js';
import { tokenizationImport } from '../import/domain.js';
import { repriceAll } from '../price-runs/reprice-all.js';
import { markOverdueInstalments } from '../schedule/mark-overdue.js';
import { findBegun } from './demo.store.js';
import { generateDemo, type DemoFile } from './generate.js';

/**
 * Fills an empty domain with the demo, as an operator would: imports the estates in their initial state, has their prices
 * computed, imports later payments, and marks overdue instalments. Returns false and does nothing if an estate exists already,
 * except that an interrupted demo is continued with the same files.
 */
export async function loadTokenizationDemo(context: Context): Promise<boolean> {
  const today = await dayOfDemo(context);
  if (today === undefined) return false;
  const calendar = await loadCalendar(context.manager);
  const { opening, standing } = generateDemo({ today, calendar });
  await importAll(context, opening);
  await repriceAll(context, { calendar });
  await importAll(context, standing);
  await markOverdueInstalments(context, calendar);
  return true;
}

/** Returns the day that the demo is generated for; undefined if there is nothing to do. */
async function dayOfDemo(context: Context): Promise<string | undefined> {
  const begun = await findBegun(context);
  if (begun === undefined) return civilDate(context.clock.now());
  return begun.isDemo && !begun.isWhole ? civilDate(begun.at) : undefined;
}

async function importAll(context: Context, files: readonly DemoFile[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-demo-'));
  try {
    for (const { name, content } of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const { errorCount, errors } = await importFiles(context, [tokenizationImport], [folder]);
    if (errorCount > 0) throw new Error(`The demo data has ${errorCount} errors, first: ${JSON.stringify(errors[0])}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
