// Prints what there is to read, and fails when a figure has grown by more than 3 % beyond scripts/weight.json. A figure is raised there on purpose,
// in a commit that says why, or the change is made smaller. `node scripts/weight.mjs --keep` writes the figures as they are.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const keptAt = new URL('weight.json', import.meta.url);
const mostGrowth = 1.03;

const generated =
  /^(supergraph\.graphql|subgraphs\/[^/]+\/schema\.graphql|rest\/openapi\.json|mcp\/tools\.json|shared\/database\/schema\.txt)$|\/graph\/operations\.ts$|\.schema\.json$/;
const isTest = (path) => /(^|\/)tests\/|\.test\.tsx?$/.test(path);

const figures = {
  'lines of the product': 0,
  'TypeScript files of the product': 0,
  'generated lines': 0,
  'lines of tests': 0,
  'lines of the bench': 0,
  'words of Markdown': 0,
  'words of README.md': 0,
};
const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
  cwd: root,
  encoding: 'utf8',
});
for (const path of paths.split('\0').filter((each) => each !== '')) {
  if (!/\.(tsx?|mjs|json|graphql|txt|md)$/.test(path)) continue;
  const text = read(path);
  const lines = text.split('\n').length - 1;
  const isSource = /\.(tsx?|mjs)$/.test(path);
  if (generated.test(path)) figures['generated lines'] += lines;
  else if (path.endsWith('.md')) figures['words of Markdown'] += wordsIn(text);
  else if (isSource && path.startsWith('bench/')) figures['lines of the bench'] += lines;
  else if (isSource && isTest(path)) figures['lines of tests'] += lines;
  else if (isSource) {
    figures['lines of the product'] += lines;
    if (!path.endsWith('.mjs')) figures['TypeScript files of the product'] += 1;
  }
}
figures['words of README.md'] = wordsIn(read('README.md'));

function read(path) {
  try {
    return readFileSync(new URL(path, `file://${root}`), 'utf8');
  } catch (error) {
    // Deleted, and not committed yet.
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function wordsIn(text) {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

const kept = JSON.parse(readFileSync(keptAt, 'utf8'));
for (const [name, figure] of Object.entries(figures)) {
  const most = Math.floor(kept[name] * mostGrowth);
  const isMore = figure > most;
  if (isMore) process.exitCode = 1;
  process.stdout.write(
    `${String(figure).padStart(8)} ${name}${isMore ? `: more than ${most} (scripts/weight.json)` : ''}\n`,
  );
}
if (process.argv.includes('--keep')) {
  writeFileSync(keptAt, `${JSON.stringify(figures, undefined, 2)}\n`);
  process.exitCode = 0;
}
