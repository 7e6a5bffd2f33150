import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { documentedSignature } from '../../../subgraphs/webhooks/engine/attempt.js';
import { openTestPlatform } from '../../kit/platform.js';
import { until } from '../../kit/until.js';
import { plenty } from '../../trading/kit.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const packageFolder = join(root, 'clients/typescript');

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
const tsc = join(root, 'node_modules/typescript/bin/tsc');

async function checkTypes(platform: object, files: readonly string[]): Promise<void> {
  const options = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022' };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, ...platform }, files }),
  );
  await run(process.execPath, [tsc, '-p', '.'], { cwd: folder });
}

async function pack(from: string): Promise<typeof packed> {
  const list = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: from });
  const [one] = JSON.parse(list) as [typeof packed];
  return one;
}

const folder = await mkdtemp(join(tmpdir(), 'lastro-sdk-'));
await run(process.execPath, ['types.mjs'], { cwd: packageFolder });
const output = ['--outDir', join(folder, 'package/dist'), '--incremental', 'false'];
await run(process.execPath, [tsc, '-p', '.', ...output], { cwd: packageFolder });
await writeFile(join(folder, 'package/package.json'), await readFile(join(packageFolder, 'package.json')));
const packed: { filename: string; files: { path: string }[] } = await pack(join(folder, 'package'));
const others = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => pack(join(root, 'node_modules', name)));
const files = [packed, ...(await Promise.all(others))].map(({ filename }) => join(folder, filename));
await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: folder });
const platform = await openTestPlatform({ ...plenty, DEMO: 'true' });
const { originator, trading } = platform.demo();
await writeFile(join(folder, 'private.pem'), originator.privateKeyPem);
const environment: Record<string, string> = {
  LASTRO_URL: platform.url,
  CLIENT_ID: originator.clientId,
  PRIVATE_KEY: join(folder, 'private.pem'),
  TRADING_API_KEY: trading.apiKey,
  TRADING_SECRET_KEY: trading.secretKey,
};
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

test('the package has only the built files, and installs only openapi-fetch', async () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !/^(package\.json|dist\/.*\.(js|d\.ts))$/.test(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/generated/api.d.ts']));
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: object };
  expect(Object.keys(packages).filter((name) => name !== '')).toEqual(
    ['@lastro/sdk', 'openapi-fetch', 'openapi-typescript-helpers'].map((name) => `node_modules/${name}`),
  );
});

test('calls, lists and updates have the types of the OpenAPI text, for a program of Node and for one of browsers', async () => {
  const source = [
    "import { createClient, liveUpdates, type LiveUpdate, type Order, type Ticker } from '@lastro/sdk';",
    "const lastro = createClient({ baseUrl: 'http://localhost' });",
    'const body = { symbol: "BTC/BRL", side: "BUY", type: "MARKET" } as const;',
    "export const placed: Promise<Order> = lastro.POST('/v1/orders/createOrder', { body });",
    '// @ts-expect-error A side that does not exist.',
    'void lastro.POST("/v1/orders/createOrder", { body: { ...body, side: "HOLD" } });',
    '// @ts-expect-error No ticker.',
    'void lastro.GET("/public/tranches/{ticker}/details");',
    '// @ts-expect-error No list with pages.',
    'void lastro.items("/public/assets/summary");',
    '// @ts-expect-error Only the cookie of a browser opens it.',
    'void lastro.POST("/v1/assignment-files", { body: "" });',
    'const params = { path: { ticker: "A" } };',
    'for await (const { unitPrice } of lastro.items("/public/tranches/{ticker}/unit-prices", { params }))',
    '  unitPrice.toUpperCase();',
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

describe('the examples of its README run as they are printed', () => {
  const printed: Readonly<Record<string, RegExp>> = {
    'Public data, page by page': /^(\d{4}-\d\d-\d\d [\d.]+\n)+installmentNumber;/,
    'Assign credits, signed': /^1500\.50 SUBMITTED\n$/,
    'Receive webhooks': /^received webhook\.test\n$/,
    'Trade, with live updates': /^(PARTIALLY_)?FILLED [\d.]+\n$/,
  };
  const exampleOf = async (title: string) => {
    const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
    const section = readme.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
    return /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  };

  test('they are the ones below', async () => {
    const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
    const sections = readme.split(/^## /m).filter((section) => section.includes('```js\n'));
    expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(Object.keys(printed));
  });

  test.each(Object.keys(printed).filter((title) => title !== 'Receive webhooks'))('%s', async (title) => {
    const file = join(folder, 'example.mjs');
    await writeFile(file, await exampleOf(title));
    const flags = Number(process.versions.node.split('.')[0]) < 22 ? ['--experimental-websocket', '--no-warnings'] : [];
    const env = { ...environment, PATH: process.env['PATH'] };
    expect(await run(process.execPath, [...flags, file], { cwd: folder, env })).toMatch(printed[title] ?? /^$/);
  });

  test('Receive webhooks', async () => {
    const secrets = ['new secret of this receiver', 'old secret of this receiver'].map(
      (text) => `whsec_${Buffer.from(text).toString('base64')}`,
    );
    const port = await freePort();
    const file = join(folder, 'receiver.mjs');
    await writeFile(file, await exampleOf('Receive webhooks'));
    const env = { WEBHOOK_SECRETS: secrets.join(','), PORT: port, PATH: process.env['PATH'] };
    const receiver = spawn(process.execPath, [file], { cwd: folder, env });
    let output = '';
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const body = JSON.stringify({ type: 'webhook.test', id: 'e', createdAt: '2026-11-20T15:00:00Z', data: {} });
    const message = { id: 'e', timestamp: Math.floor(Date.now() / 1_000), body };
    const headers = {
      'x-webhook-id': message.id,
      'x-webhook-timestamp': String(message.timestamp),
      'x-webhook-signature': documentedSignature(secrets[1] ?? '', message),
    };
    const deliver = (text: string) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
    try {
      const accepted = await until('the receiver of the example', () => deliver(body));
      expect([accepted.status, (await deliver(`${body} `)).status]).toEqual([200, 401]);
    } finally {
      receiver.kill();
      await once(receiver, 'close');
    }
    expect(output).toMatch(printed['Receive webhooks'] ?? /^$/);
  });
});
