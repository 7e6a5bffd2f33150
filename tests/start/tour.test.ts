import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const texts = [
  'README.md',
  'examples/trading-bot/README.md',
  ...readdirSync(join(root, 'docs/guides'), 'utf8').map((name) => `docs/guides/${name}`),
];

/** Returns the commands of a text that run an example which imports the SDK, each with the commands before it. */
function runsOfSdk(path: string): { readonly example: string; readonly before: string }[] {
  const commands = [...read(path).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '').join('');
  return [...commands.matchAll(/node (examples\/\S+\.mjs)/g)].flatMap(({ 1: example = '', index }) =>
    read(example).includes("from '@lastro/sdk'") ? [{ example, before: commands.slice(0, index) }] : [],
  );
}

test('the tour builds the SDK before it runs an example that imports it', () => {
  const runs = texts.flatMap(runsOfSdk);
  expect(runs.length).toBeGreaterThan(0);
  const unbuilt = runs.filter(({ before }) => !before.includes('npm run build -w packages/sdk\n'));
  expect(unbuilt.map(({ example }) => example)).toEqual([]);
});
