import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { plenty } from '../trading/kit.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const packageFolder = join(root, 'packages/sdk');

interface DemoCredentials {
  readonly publicApiKey: string;
  readonly developerApiKey: string;
  readonly originator: { readonly clientId: string; readonly privateKeyPem: string };
  readonly trading: { readonly apiKey: string; readonly secretKey: string };
}

let platform: TestPlatform;
let folder: string;
let environment: Record<string, string>;
let packed: { filename: string; files: { path: string }[] };

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

/** Runs a program to its end; the output of one that fails is the error. */
async function run(program: string, parameters: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const child = spawn(program, parameters, { env: process.env, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), 240_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code !== 0)
    throw new Error(`${program} ${parameters.join(' ')} ended with ${String(code)}\n${output}\n${errors}`);
  return output;
}

const ofNode = { skipLibCheck: true, lib: ['es2023'], typeRoots: [join(root, 'node_modules/@types')], types: ['node'] };

/** Compiles files of the folder strictly. */
async function checkTypes(platform: object, files: readonly string[]): Promise<void> {
  const options = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022' };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, ...platform }, files }),
  );
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: folder });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastro-sdk-'));
  await run(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      '.',
      '--outDir',
      join(folder, 'package/dist'),
      '--incremental',
      'false',
    ],
    { cwd: packageFolder },
  );
  await writeFile(join(folder, 'package/package.json'), await readFile(join(packageFolder, 'package.json')));
  const list = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(folder, 'package') });
  [packed] = JSON.parse(list) as [typeof packed];
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)], { cwd: folder });
  platform = await openTestPlatform({ ...plenty, DEMO: 'true', WEBHOOK_ALLOW_INSECURE: 'true' });
  const text = await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
  const { publicApiKey, developerApiKey, originator, trading } = JSON.parse(text) as DemoCredentials;
  await writeFile(join(folder, 'private.pem'), originator.privateKeyPem);
  environment = {
    LASTRO_URL: platform.url,
    API_KEY: publicApiKey,
    DEVELOPER_KEY: developerApiKey,
    CLIENT_ID: originator.clientId,
    PRIVATE_KEY: join(folder, 'private.pem'),
    TRADING_API_KEY: trading.apiKey,
    TRADING_SECRET_KEY: trading.secretKey,
    PORT: await freePort(),
  };
});
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

test('the package has the built files alone, and installs nothing else', async () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !/^(package\.json|dist\/.*\.(js|d\.ts))$/.test(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/generated/trading.js']));
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/@lastro/sdk']);
});

test('its types are those of the source, for a program of Node and for one of browsers', async () => {
  const source = [
    "import { createClient, type Order } from '@lastro/sdk';",
    "const lastro = createClient({ baseUrl: 'http://localhost' });",
    'export const placed: Promise<Order> = lastro.trading.createOrder({ symbol: "BTC/BRL", side: "BUY", type: "MARKET" });',
    '// @ts-expect-error A side that does not exist.',
    'void lastro.trading.createOrder({ symbol: "BTC/BRL", side: "HOLD", type: "MARKET" });',
    'for await (const { unitPrice } of lastro.tokenization.unitPriceList({ ticker: "A" })) unitPrice.toUpperCase();',
  ].join('\n');
  await writeFile(join(folder, 'types.ts'), source);
  for (const platform of [{ lib: ['es2023', 'dom', 'dom.iterable'], types: [] }, ofNode])
    await checkTypes(platform, ['types.ts']);
});

test('the examples of its README are TypeScript, too', async () => {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const files = examples.map((_, index) => `example-${index}.ts`);
  for (const [index, file] of files.entries()) await writeFile(join(folder, file), examples[index] ?? '');
  expect(files).not.toEqual([]);
  await checkTypes(ofNode, files);
});

test('updates have the types of the channels that were asked for, and a snapshot of orders is a list', async () => {
  const source = [
    "import { createClient, liveUpdates, type LiveUpdate, type Order, type Ticker } from '@lastro/sdk';",
    "const lastro = createClient({ baseUrl: 'http://localhost' });",
    "for await (const update of liveUpdates(lastro, { channels: ['orders'] })) {",
    '  if (update.type === "reset") continue;',
    '  const orders: readonly Order[] = update.snapshot ? update.data : [update.data];',
    '  orders.map(({ status }) => status);',
    '}',
    "for await (const { data } of liveUpdates(lastro, { channels: ['ticker:BTC/BRL'] })) data.bid satisfies Ticker['bid'];",
    "for await (const update of liveUpdates(lastro, { channels: ['ticker:BTC/BRL', 'orders'] })) {",
    '  // @ts-expect-error No balance was asked for.',
    "  if (update.channel === 'balance') throw new Error();",
    "  if (update.channel === 'orders' && update.type === 'update' && !update.snapshot) update.data.status satisfies string;",
    '}',
    'export const orderOf = (update: LiveUpdate): Order | undefined =>',
    "  update.type === 'update' && update.channel === 'orders' && !update.snapshot ? update.data : undefined;",
  ].join('\n');
  await writeFile(join(folder, 'live.ts'), source);
  await checkTypes(ofNode, ['live.ts']);
});

describe('the examples of its README run as they are printed', () => {
  const printed: Readonly<Record<string, RegExp>> = {
    'Public data, page by page': /^\d+ active series\n\S+ \d{4}-\d\d-\d\d [\d.]+\n\d+ unit prices\n\S+,\S+\n$/,
    'Operation data, and errors': /^\d+ operations\n404 .+ \S+\n$/,
    'Assign credits, signed': /^DRAFT 1500\.50\nSUBMITTED\n$/,
    'Receive webhooks': /^received webhook\.test\n$/,
    'Trade, with live updates': /^BTC\/BRL [\d.]+ [\d.]+\nFILLED [\d.]+ at [\d.]+\n$/,
    Quotes: /^[\d.]+ until \S+Z\nFILLED [\d.]+\n$/,
  };

  test('they are the ones below', async () => {
    const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
    const sections = readme.split(/^## /m).filter((section) => section.includes('```js\n'));
    expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(Object.keys(printed));
  });

  test.each(Object.keys(printed))('%s', async (title) => {
    const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
    const section = readme.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
    const file = join(folder, 'example.mjs');
    await writeFile(file, /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? '');
    const flags = Number(process.versions.node.split('.')[0]) < 22 ? ['--experimental-websocket', '--no-warnings'] : [];
    const env = { ...environment, PATH: process.env['PATH'] };
    expect(await run(process.execPath, [...flags, file], { cwd: folder, env })).toMatch(printed[title] ?? /^$/);
  });
});
