import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { createLocalBus } from '../shared/bus.js';
import { systemClock } from '../shared/clock.js';
import { loadConfig } from '../shared/config.js';
import { createContext } from '../shared/context.js';
import { createLog } from '../shared/log.js';
import { importFiles, type ImportProgress } from '../subgraphs/issuances/import/import.js';
import { describeCsvColumns } from '../subgraphs/issuances/import/model/csv-columns.js';
import { printSchema } from '../subgraphs/issuances/import/model/schema.js';
import { printReport } from '../subgraphs/issuances/import/print-report.js';
import type { Command } from './command.js';
import { withDatabase } from './database.js';

export const importCommand: Command = {
  name: 'import',
  summary: 'bring operations, prices, payments and contracts into the house',
  usage: `Usage: npm run lastro -- import <file or folder>…
       npm run lastro -- import --schema
       npm run lastro -- import --csv-columns

Imports JSON and CSV files. A folder stands for all files in it, and everything that is named is one whole: it is written in one
transaction when all of it is right, and otherwise not at all. The same input twice changes nothing. The server may be running.

  --schema        print the JSON Schema of JSON files
  --csv-columns   print the columns of CSV files

Exit code 0: written, with a summary on standard output. 1: faults, each with file, line and field, on standard error.
2: wrong use. The formats with examples: subgraphs/issuances/import/README.md`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { schema: { type: 'boolean' }, 'csv-columns': { type: 'boolean' } },
    });
    if (values.schema === true) process.stdout.write(printSchema());
    else if (values['csv-columns'] === true) process.stdout.write(`${describeCsvColumns()}\n`);
    else if (positionals.length > 0) return runImport(positionals);
    else {
      process.stderr.write(`Name a file or folder.\n\n${importCommand.usage}\n`);
      return 2;
    }
    return 0;
  },
};

async function runImport(paths: readonly string[]): Promise<number> {
  const config = loadConfig();
  const bar = progressBar();
  const report = await withDatabase(config, async ({ manager }) => {
    const log = createLog(config.logLevel, process.stderr);
    const context = createContext({ clock: systemClock, log, manager, bus: createLocalBus() });
    return importFiles(context, paths, { onProgress: bar.show });
  }).finally(bar.stop);
  const right = report.faultCount === 0;
  (right ? process.stdout : process.stderr).write(printReport(report));
  return right ? 0 : 1;
}

/** A progress bar where there is a terminal to draw it on. */
function progressBar(): { show: (progress: ImportProgress) => void; stop: () => void } {
  if (!process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% {phase}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    show: ({ phase, done, total }) => {
      if (!started) bar.start(total, 0, { phase });
      started = true;
      bar.update(done, { phase });
    },
    stop: () => {
      bar.stop();
    },
  };
}
