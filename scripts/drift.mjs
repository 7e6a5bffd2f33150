// Fails when `npm run generate` changes anything: a committed artefact no longer matches the code.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the differences from the last commit, including content, so that files changed before the run do not count. */
function changes() {
  const status = execFileSync('git', ['status', '--porcelain', '--no-renames', '--untracked-files=all', '-z'], {
    cwd: root,
  });
  const entries = status
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  return new Map(entries.map((entry) => [entry.slice(3), `${entry.slice(0, 2)} ${contentOf(entry.slice(3))}`]));
}

function contentOf(path) {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex');
  } catch {
    return 'no file';
  }
}

const before = changes();
execFileSync('npm', ['run', '--silent', 'generate'], { cwd: root, stdio: 'inherit' });
const after = changes();
const drifted = [...new Set([...before.keys(), ...after.keys()])]
  .filter((path) => before.get(path) !== after.get(path))
  .sort();

if (drifted.length > 0) {
  process.stderr.write(
    `Generated files are out of date; run \`npm run generate\` and commit:\n${drifted.map((path) => `  ${path}\n`).join('')}`,
  );
  process.exit(1);
}
process.stdout.write('Generated files are up to date.\n');
