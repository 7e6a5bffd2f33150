// What tests get for `fast-check` (jest.config.js maps it here): a failing property says how to run it again, with its seed.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as library from '../../node_modules/fast-check/lib/fast-check.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The whole number in FC_SEED; undefined for a seed of each property's own. */
function seedOf(text) {
  if (text === undefined || text === '') return undefined;
  const seed = Number(text);
  if (!Number.isSafeInteger(seed))
    throw new Error(`FC_SEED is "${text}": give the whole number that a failure printed.`);
  return seed;
}

function report(details) {
  if (!details.failed) return;
  const path = relative(root, expect.getState().testPath);
  throw new Error(
    `${library.defaultReportMessage(details)}\n\n${String(details.errorInstance)}\n\nRun it again: FC_SEED=${details.seed} npm test -- ${path}`,
    { cause: details.errorInstance },
  );
}

const seed = seedOf(process.env.FC_SEED);
library.configureGlobal({ reporter: report, ...(seed === undefined ? {} : { seed }) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export { default } from '../../node_modules/fast-check/lib/fast-check.js';
