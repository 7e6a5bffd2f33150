// `npm run check`: runs every static check, two at a time, and reports all of them even when one fails.
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Slow checks first, so that the short ones fill the gaps. */
const checks = [
  { name: 'oxlint', command: ['oxlint'] },
  // Code of the server that the panel imports must compile without Node's types.
  { name: 'tsc-panel', command: ['tsc', '-p', 'apps/panel', '--noEmit'] },
  { name: 'dependency-cruiser', command: ['depcruise', '.', '--config', '.dependency-cruiser.cjs'] },
  { name: 'knip', command: ['knip', '--no-progress'] },
  { name: 'redocly', command: ['redocly', 'lint', '--skip-rule', 'no-server-example.com', 'rest/openapi.json'] },
  {
    name: 'prettier',
    command: ['prettier', '--check', '.', '--cache', '--cache-location', 'node_modules/.cache/check/prettier'],
  },
  { name: 'citations', command: [process.execPath, 'scripts/citations.mjs'] },
  { name: 'weight', command: [process.execPath, 'scripts/weight.mjs'], isShown: true },
];

function run({ name, command: [program, ...args], isShown = false }) {
  return new Promise((resolve) => {
    const begun = performance.now();
    const child = spawn(program === process.execPath ? program : `node_modules/.bin/${program}`, args, {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => resolve({ name, good: false, seconds: 0, output: error.message, isShown }));
    child.once('close', (code) =>
      resolve({ name, good: code === 0, seconds: (performance.now() - begun) / 1000, output, isShown }),
    );
  });
}

// oxlint and knip read the generated types of the TypeScript client.
execFileSync(process.execPath, ['clients/typescript/types.mjs'], { cwd: root, stdio: 'inherit' });

const failed = [];
const queue = [...checks];
async function worker() {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    const { name, good, seconds, output, isShown } = await run(check);
    process.stdout.write(`${good ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)\n`);
    if (!good) failed.push(name);
    if (!good || isShown) process.stdout.write(`${output.trimEnd()}\n\n`);
  }
}
await Promise.all([worker(), worker()]);

process.stdout.write(failed.length === 0 ? 'All checks passed.\n' : `Failed: ${failed.join(', ')}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
