// The mutants of source files: every file is compiled once with all of its mutants in it, each behind a switch.
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const nothing = () => undefined;
const quiet = { debug: nothing, info: nothing, warn: nothing, isDebugEnabled: () => false };

const sql = /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|VALUES|LOCK|NOTIFY|RETURNING|ORDER BY)\b/;

/** Texts for people (they contain blanks, and are not SQL) decide nothing about money or access. */
const isSentence = ({ mutatorName, original }) =>
  mutatorName === 'StringLiteral' && /\S \S|^.\S+ |^`[^`]* |^(``|''|"")$/.test(original) && !sql.test(original);

/**
 * Writes the instrumented files into `scratch`, with `map.json` from each source file to its copy, and returns the mutants:
 * `{ id, file, line, column, mutatorName, original, replacement, sourceLine }`, `file` relative to `root`.
 */
export async function instrument(root, paths, scratch) {
  const files = await Promise.all(
    paths.map(async (name) => ({ name, mutate: true, content: await readFile(name, 'utf8') })),
  );
  const result = await new Instrumenter(quiet).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  const map = {};
  for (const [index, { name, content }] of result.files.entries()) {
    map[name] = join(scratch, `${index}.ts`);
    await writeFile(map[name], content);
  }
  await writeFile(join(scratch, 'map.json'), JSON.stringify(map));
  const lines = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  return result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => ({
      id,
      file: relative(root, fileName),
      line: start.line + 1,
      column: start.column + 1,
      mutatorName,
      original: between(lines.get(fileName), start, end),
      replacement,
      sourceLine: lines.get(fileName)[start.line].trim(),
    }))
    .filter((mutant) => !isSentence(mutant));
}

function between(lines, start, end) {
  if (start.line === end.line) return lines[start.line].slice(start.column, end.column);
  return [
    lines[start.line].slice(start.column),
    ...lines.slice(start.line + 1, end.line),
    lines[end.line].slice(0, end.column),
  ].join('\n');
}
