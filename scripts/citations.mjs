// Fails on dangling citations: of `docs/contract`, `docs/adr` and `docs/glossary.md` if the file or heading does not exist, and every citation of
// texts that are not in the repository. Checks tracked files that match the patterns below.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const patterns = ['*.ts', '*.mjs', '*.sql', '*.graphql', '*.md'];
const self = 'scripts/citations.mjs';

const section = '§\\d+(?:\\.\\d+)*';
/** Matches `docs/contract/common.md §7.2`, also with several sections: `§7.2 and §7.3`, `§1 to §3`. */
const citation = new RegExp(
  `docs/(?:contract|adr|glossary)[\\w./-]*(?:\\s+${section}(?:(?:, | and | to )${section})*)?`,
  'g',
);
/** Matches, within a page of the contract, `§7.2` of the page itself and `[common.md](common.md) §7.2` of another one. */
const within = new RegExp(`(?:\\]\\(([\\w./-]+)\\)\\s+)?${section}`, 'g');
const foreign = /\bdocuments? [123]\b|\bdecisions? page\b|\bdecisions\.md\b|\(decisions[,:]/gi;
/** Matches `## 7. Idempotency`, `### 7.2 What a key is bound to`. */
const heading = /^#{2,} (\d+(?:\.\d+)*)\.? /gm;

/** Returns the error in a citation of a page and its sections, as a sentence; undefined if it is valid. */
function problemOf(page, cited) {
  if (!existsSync(join(root, page))) return `${page} does not exist`;
  const numbers = [...cited.matchAll(/§([\d.]*\d)/g)].map(([, number]) => number);
  if (numbers.length === 0) return undefined;
  const sections = new Set([...readFileSync(join(root, page), 'utf8').matchAll(heading)].map(([, number]) => number));
  const missing = numbers.find((number) => !sections.has(number));
  return missing === undefined ? undefined : `${page} has no section ${missing}`;
}

/** Returns a line with its location for each match with a problem. */
function report(path, text, pattern, sentenceOf) {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const sentence = sentenceOf(...match);
    return sentence === undefined ? [] : [`${path}:${text.slice(0, match.index).split('\n').length} ${sentence}`];
  });
}

function problemsIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const isRules = /^docs\/contract\/(?!README)/.test(path);
  return [
    ...report(path, text, citation, (cited) => problemOf(cited.split(/\s/)[0].replace(/[./]+$/, ''), cited)),
    ...(isRules
      ? report(path, text, within, (cited, page) =>
          problemOf(page === undefined ? path : join(dirname(path), page), cited),
        )
      : []),
    ...report(path, text, foreign, (cited) => `cites "${cited}": cite docs/contract or docs/adr`),
  ];
}

const problems = execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && path !== self && existsSync(join(root, path)))
  .flatMap(problemsIn);
const summary =
  problems.length === 0 ? 'Every citation leads somewhere.' : `${problems.length} citations lead nowhere.`;
process.stdout.write([...problems, summary, ''].join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
