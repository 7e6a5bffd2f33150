// `npm run dev`: builds and runs the program, and rebuilds and restarts it when a file changes. If a file does not compile, the running program stays.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, report, roomsAmong } from './build.mjs';
import { nodeFlags } from './node-flags.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const settleMs = 150;
const stopMs = 12_000;
/** Polling interval: watching can miss a file in a new folder, and a scan costs some milliseconds. */
const lookMs = 3_000;

let child;
let ending = false;
let timer;
let lastErrors = '';
let turn = Promise.resolve();

function start() {
  // In a process group of its own: Ctrl-C reaches only this script, and the program is signalled once.
  child = spawn(process.execPath, [...nodeFlags, '--enable-source-maps', 'dist/main.js', '--with-parent'], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
  });
  const started = child;
  started.once('exit', (code, signal) => {
    if (child !== started) return;
    child = undefined;
    if (!ending)
      process.stderr.write(
        `The program ended with ${signal ?? `code ${code}`}; it starts again with the next change.\n`,
      );
  });
}

async function stop() {
  const stopping = child;
  if (stopping === undefined) return;
  child = undefined;
  const force = setTimeout(() => stopping.kill('SIGKILL'), stopMs);
  const gone = once(stopping, 'exit');
  stopping.kill('SIGTERM');
  await gone;
  clearTimeout(force);
}

async function refresh({ first = false } = {}) {
  const result = await build();
  const errors = result.errors.join();
  const news = first || result.changed > 0;
  if (!news || (errors !== '' && errors === lastErrors)) return;
  lastErrors = errors;
  if (!report(result) || ending) return;
  await stop();
  if (!ending) start();
}

/** Refreshes one at a time; a change during one is handled by the next. */
function look(options = {}) {
  turn = turn.then(() => refresh(options)).catch((error) => process.stderr.write(`${error.stack}\n`));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // Ctrl-C arrives twice under npm.
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await turn;
    await stop();
    process.exit(0);
  });
}

look({ first: true });
const rooms = roomsAmong(readdirSync(root, { withFileTypes: true }));
for (const folder of ['.', ...rooms]) {
  watch(join(root, folder), { recursive: folder !== '.' }, () => {
    clearTimeout(timer);
    timer = setTimeout(look, settleMs);
  }).on('error', () => undefined);
}
setInterval(look, lookMs);
