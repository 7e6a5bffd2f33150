import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopGenerator } from './kit/load.mjs';
import { machine } from './kit/machine.mjs';
import { enter, startPlatform } from './kit/platform.mjs';
import { failuresIn, runProcess, stopAll } from './kit/processes.mjs';
import { table, writeReport } from './kit/report.mjs';
import { measureInstances } from './measures/instances.mjs';

const page = 'docs/operations/README.md';
const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'lastro-figures-'));
const timing = { rounds: 5, seconds: 4, connections: 32, warmUpSeconds: 5 };

process.once('SIGINT', () => void leave(130));
process.once('SIGTERM', () => void leave(143));
try {
  writeReport(await measure(), page);
  process.stdout.write(`The figures are in ${page}.\n`);
  await leave(0);
} catch (error) {
  process.stderr.write(`${[error.stack, ...failuresIn(folder)].join('\n')}\n`);
  await leave(1);
}

/** Takes every figure, one after the other. */
async function measure() {
  const step = (title, work) => {
    process.stderr.write(`${title} …\n`);
    return work();
  };
  const restored = await step('A restore', () =>
    printed('tests/deploy/backup.test.ts', { DEPLOY_FULL: '1' }, /Restored (.*)/),
  );
  const instances = await step('Instances', measureHouse);
  return [
    `${machine()}. ${timing.rounds} rounds of ${timing.seconds} s, in turn, ${timing.connections} connections. Taken on ${new Date().toISOString().slice(0, 10)} by \`npm run figures\`.`,
    instances,
    table(['figure', 'measured'], [['restore from a base backup and the log', restored]]),
  ].join('\n\n');
}

async function measureHouse() {
  const platform = await startPlatform(folder);
  try {
    return await measureInstances({ platform, entry: await enter(platform), folder, timing });
  } finally {
    await platform.stop();
  }
}

/** Runs a test that prints a figure, and returns the part of the pattern that is in brackets. */
async function printed(test, env, pattern) {
  const { output } = await runProcess({ command: 'npm', args: ['test', '--', test], env, cwd: root });
  const [, found] = pattern.exec(output) ?? [];
  if (found === undefined) throw new Error(`${test} printed no figure:\n${output.slice(-2_000)}`);
  return found;
}

/** Stops everything that was started, removes what was written, and exits. */
async function leave(code) {
  stopGenerator();
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
