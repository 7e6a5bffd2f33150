// `npm run mutants -- <file or folder>`: changes the code in small ways, and counts the changes that the module's own tests notice.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { instrument } from './instrument.mjs';
import { moduleOf, startingWith } from './modules.mjs';
import { openRunner } from './runner.mjs';

const usage = `npm run mutants -- <file or folder> [options]

  --sample <n>     how many mutants, drawn by the seed (60; 0 for all)
  --seed <n>       the seed of the sample (1)
  --only <text>    only mutants whose file and line, as in "settle.ts:45", contain the text
  --tests <path>   test files beginning with this path instead of the module's own (may be repeated)
  --drawn          prints the mutants that are drawn, and runs nothing
  --list           prints every surviving mutant: place, what was there, what took its place
  --minimum <n>    ends with code 1 when fewer than n percent are killed

A mutant is killed when a test fails with it, or the tests do not end. Mutants that change nothing that anyone could see
are listed with the reason in tests/mutants/equivalent.json and left out. Texts for people are not changed, nor is
what SQL says, except that a statement as a whole is emptied. Processes that tests start run the program unchanged.
`;

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
/** A mutant may take this many times as long as the unchanged code, plus the constant, before it counts as endless. */
const slowerTimes = 6;
const slowerMs = 30_000;
const firstRunMs = 600_000;
/** A single test may take this many times as long, plus the constant, where it names no time of its own. */
const slowerTestTimes = 4;
const slowerTestMs = 10_000;
/** The same without a mutant: a machine that is busy must not make a test fail. */
const firstTestMs = 120_000;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      tests: { type: 'string', multiple: true },
      drawn: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      minimum: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length !== 1) {
    process.stdout.write(usage);
    process.exit(values.help ? 0 : 2);
  }
  return { ...values, path: relative(root, resolve(positionals[0])) };
}

/** Numbers in [0, 1) from a seed (mulberry32). */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function drawSample(mutants, size, seed) {
  if (size === 0 || size >= mutants.length) return mutants;
  const next = numbersFrom(seed);
  const keyed = mutants.map((mutant) => ({ mutant, key: next() })).sort((one, other) => one.key - other.key);
  return keyed.slice(0, size).map(({ mutant }) => mutant);
}

/** Equivalent mutants are known by their file, their whole source line and the change, not by a line's number. */
async function withoutEquivalent(mutants) {
  const known = JSON.parse(await readFile(join(root, 'tests/mutants/equivalent.json'), 'utf8'));
  const key = ({ file, sourceLine, original, replacement }) =>
    JSON.stringify([file, sourceLine, original, replacement]);
  const keys = new Set(known.map(key));
  return mutants.filter((mutant) => !keys.has(key(mutant)));
}

/**
 * The test files of the module. Each runs without a mutant when it is first needed, which tells how long it takes and which
 * mutants it reaches how often; what is nearest to a mutant tries it first.
 */
function openTests(runner, files) {
  const known = new Map();
  const runUnchanged = async (file) => {
    const task = { file, testTimeoutMs: firstTestMs };
    const { passed, failure, coverage, ms, slowestMs } = await runner.run(task, firstRunMs);
    if (!passed) throw new Error(`${file} fails without any mutant: ${failure}. Repair it first.`);
    return { ms, testTimeoutMs: slowestMs * slowerTestTimes + slowerTestMs, coverage: coverage ?? {} };
  };
  return {
    runUnchanged,
    unchanged: async (file) => {
      if (!known.has(file)) known.set(file, await runUnchanged(file));
      return known.get(file);
    },
    for: (source) => {
      const rank = (file) => [distance(file, source), known.get(file)?.ms ?? Infinity];
      return files
        .map((file) => ({ file, rank: rank(file) }))
        .sort(({ rank: [far, ms] }, { rank: [otherFar, otherMs] }) => far - otherFar || (ms < otherMs ? -1 : 1))
        .map(({ file }) => file);
    },
  };
}

/** 0 for the test of a source file itself, 1 for those in its folder, 2 for those beside other code, 3 for those in `tests/`. */
function distance(test, source) {
  if (test === source.replace(/\.ts$/, '.test.ts')) return 0;
  if (dirname(test) === dirname(source)) return 1;
  return test.startsWith('tests/') ? 3 : 2;
}

/** What killed the mutant, if anything did, and whether any test reached it. */
async function tryMutant(runner, { id, file: source }, tests) {
  let wasReached = false;
  for (const file of tests.for(source)) {
    const { ms, testTimeoutMs, coverage } = await tests.unchanged(file);
    const hits = coverage[id];
    if (hits === undefined) continue;
    wasReached = true;
    const task = { file, mutant: id, hitLimit: hits * 1000 + 100_000, testTimeoutMs };
    const { passed, failure, couldNotRun } = await runner.run(task, ms * slowerTimes + slowerMs);
    // It is the mutant's doing only where the file still runs without it, and not that of a broken installation.
    if (couldNotRun) await tests.runUnchanged(file);
    if (!passed) return { killer: `${file}: ${failure ?? 'failed'}`, wasReached };
  }
  return { killer: undefined, wasReached };
}

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 200);

function describe({ file, line, column, mutatorName, original, replacement }, wasReached) {
  return `${file}:${line}:${column} ${mutatorName}${wasReached ? '' : ' (no test gets there)'}\n  - ${oneLine(original)}\n  + ${oneLine(replacement)}\n`;
}

/** The mutants that are drawn, and the test files that have to notice them. */
async function prepare(options, scratch) {
  const { sources, tests: own } = await moduleOf(root, options.path);
  const tests =
    options.tests === undefined
      ? own
      : (await Promise.all(options.tests.map((prefix) => startingWith(root, prefix)))).flat();
  if (tests.length === 0) throw new Error(`${options.path} has no tests of its own: name them with --tests.`);
  const all = await instrument(
    root,
    sources.map((source) => join(root, source)),
    scratch,
  );
  const counted = await withoutEquivalent(all);
  const { only } = options;
  const chosen = only === undefined ? counted : counted.filter(({ file, line }) => `${file}:${line}`.includes(only));
  const mutants = drawSample(chosen, Number(options.sample), Number(options.seed));
  process.stdout.write(
    `${options.path}: ${all.length} mutants, ${all.length - counted.length} of them equivalent; ${mutants.length} drawn with seed ${options.seed}; ${tests.length} test files\n`,
  );
  return { mutants, tests };
}

/** On a terminal one line that changes; else a line for each mutant, with what killed it. */
function tellProgress(count, killer = 'survives') {
  process.stderr.write(process.stderr.isTTY ? `\r${count} ` : `${count}; ${oneLine(killer)}\n`);
}

async function measure({ list }, { mutants, tests }, scratch) {
  const runner = openRunner(root, scratch);
  try {
    const opened = openTests(runner, tests);
    const survivors = [];
    for (const [index, mutant] of mutants.entries()) {
      const { killer, wasReached } = await tryMutant(runner, mutant, opened);
      if (killer === undefined) {
        survivors.push(mutant);
        if (list) process.stdout.write(describe(mutant, wasReached));
      }
      tellProgress(`${index + 1} of ${mutants.length}, ${survivors.length} survive`, killer);
    }
    return survivors;
  } finally {
    runner.stop();
  }
}

/** The PostgreSQL of a test run that this one is part of, or one of its own. */
async function withDatabase(work) {
  if (process.env.TEST_DATABASE_URL !== undefined) return work();
  const { default: setup } = await import('../kit/global-setup.mjs');
  const { default: teardown } = await import('../kit/global-teardown.mjs');
  await setup();
  try {
    return await work();
  } finally {
    await teardown();
  }
}

function report({ minimum }, mutants, survivors) {
  const killed = mutants.length - survivors.length;
  const percent = mutants.length === 0 ? 100 : (100 * killed) / mutants.length;
  process.stdout.write(`${killed} of ${mutants.length} killed (${percent.toFixed(1)} %)\n`);
  process.exitCode = percent < Number(minimum) ? 1 : 0;
}

const options = readArguments();
const scratch = await mkdtemp(join(tmpdir(), 'lastro-mutants-'));
try {
  const work = await prepare(options, scratch);
  if (options.drawn) process.stdout.write(work.mutants.map((mutant) => describe(mutant, true)).join(''));
  else report(options, work.mutants, await withDatabase(() => measure(options, work, scratch)));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
