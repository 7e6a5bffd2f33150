import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { openTestPlatform } from '../kit/platform.js';

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
  const unbuilt = runs.filter(({ before }) => !before.includes('npm run build -w clients/typescript\n'));
  expect(unbuilt.map(({ example }) => example)).toEqual([]);
});

test('only LASTRO_URL says where the program is', () => {
  const commands = [...texts, 'examples/webhook-receiver/README.md'].flatMap((path) =>
    [...read(path).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block),
  );
  const fixed = commands.join('').replaceAll('${LASTRO_URL:-http://localhost:4000}', '');
  expect(fixed.match(/.*(localhost:4000|\bBASE_URL\b).*/g)).toBeNull();
});

test('the first calls of the README work on another port, and print what it shows', async () => {
  const platform = await openTestPlatform({ DEMO: 'true' });
  try {
    const calls = read('README.md').split('## First calls')[1]?.split('## You are')[0] ?? '';
    const fenced = [...calls.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
    const blocks = fenced.filter(([, language]) => language === 'sh').map(([, , block = '']) => block);
    // The operator's command writes to a database that this test's environment does not name.
    const script = blocks.filter((block) => !block.includes('npm run'));
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, LASTRO_URL: platform.url, DATA_DIR: platform.dataDir };
    const child = spawn('sh', ['-c', script.join('\n')], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    await once(child, 'close');
    const shown = fenced.filter(([, language]) => language === '').map(([, , block = '']) => block);
    const fields = (text: string) => [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name);
    const printed = new Set(fields(output));
    // The subscription is not among them.
    const promised = shown.filter((text) => !text.includes('operationUpdated')).flatMap(fields);
    expect(promised.length).toBeGreaterThan(10);
    expect(promised.filter((name) => !printed.has(name))).toEqual([]);
    expect(output).toContain('{"data":{"operation":{"name":"CRI Shopping Serra Azul","maturityDate":"2034-02-15"');
  } finally {
    await platform.close();
  }
});

test('the example of subscriptions says why it cannot connect, and tries again', async () => {
  const env = {
    ...process.env,
    LASTRO_URL: 'http://127.0.0.1:9',
    LASTRO_KEY: 'svcpub_x.y',
    CURSOR_FILE: '/nonexistent/cursor',
  };
  const child = spawn(process.execPath, ['examples/subscribe.mjs', 'CRI-AURORA'], { cwd: root, env });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    if ((output.match(/trying again/g) ?? []).length >= 2) child.kill();
  });
  await once(child, 'close');
  expect(output).toMatch(/^http:\/\/127\.0\.0\.1:9: .*(ECONNREFUSED|bad port).*; trying again$/m);
});
