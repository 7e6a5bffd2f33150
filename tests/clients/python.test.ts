import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentedSignature } from '../../subgraphs/webhooks/engine/attempt.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';

const folder = fileURLToPath(new URL('../../clients/python', import.meta.url));
const run = promisify(execFile);
const webhookSecrets = ['whsec_bmV3IHNlY3JldCBvZiB0aGUgcmVjZWl2ZXIhIQ==', 'whsec_b2xkIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI='];
/** What is missing on this machine; undefined where the tests can run. */
function missing(): string | undefined {
  try {
    execFileSync('python3', ['-c', 'import sys, venv, pip; sys.exit(sys.version_info < (3, 10))'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch {
    return 'python3 of version 3.10 or later with venv and pip';
  }
}

const lack = missing();
if (lack !== undefined) process.stdout.write(`The tests of clients/python are skipped: they need ${lack}.\n`);
const withPython = lack === undefined ? test : test.skip;

let work: string;
let python: string;
let platform: TestPlatform;
/** Where the package index is, is the machine's setting; programs see nothing of its settings for Python, and write nothing beside the sources. */
let bare: Record<string, string | undefined>;
let environment: Record<string, string | undefined>;

/** Builds the wheel, and installs it with its extras into an empty virtual environment, as a user does. */
async function installWheel(): Promise<void> {
  const venv = join(work, 'venv');
  // The machine's pip installs into it: a pip of its own takes ten seconds to install.
  await run('python3', ['-m', 'venv', '--without-pip', venv]);
  python = join(venv, 'bin', 'python');
  const pip = async (command: string, ...args: string[]) => {
    const options = ['--python', python, '--disable-pip-version-check', command, '--quiet'];
    await run('python3', ['-m', 'pip', ...options, ...args]);
  };
  // Of all that is installed only a part is ever imported, and compiled then.
  await pip('install', '--no-compile', 'hatchling>=1.27');
  await pip('wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', join(work, 'wheels'), folder);
  const [wheel = ''] = await readdir(join(work, 'wheels'));
  await pip('install', '--no-compile', `${join(work, 'wheels', wheel)}[test]`);
}

beforeAll(async () => {
  if (lack !== undefined) return;
  work = await mkdtemp(join(tmpdir(), 'lastro-python-'));
  bare = { PATH: process.env['PATH'], HOME: work, PYTHONPYCACHEPREFIX: join(work, 'cache') };
  const [opened] = await Promise.all([openTestPlatform({ DEMO: 'true' }), installWheel()]);
  platform = opened;
  const demo = platform.demo();
  await writeFile(join(work, 'originator.pem'), demo.originator.privateKeyPem, { mode: 0o600 });
  environment = {
    ...bare,
    LASTRO_URL: platform.url,
    LASTRO_API_KEY: demo.publicApiKey,
    LASTRO_TRADING_KEY: demo.trading.apiKey,
    LASTRO_TRADING_SECRET: demo.trading.secretKey,
    LASTRO_CLIENT_ID: demo.originator.clientId,
    LASTRO_PRIVATE_KEY_FILE: join(work, 'originator.pem'),
    LASTRO_WEBHOOK_SECRETS: webhookSecrets.join(','),
  };
  // Packages may have to be downloaded.
});
afterAll(async () => {
  if (lack !== undefined) return;
  await platform.close();
  await rm(work, { recursive: true, force: true });
});

/** The example of README under a heading, as printed. */
async function example(title: string): Promise<string> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, after] = readme.split(`\n**${title}**`);
  const code = /```python\n([^]*?)```/.exec(after ?? '')?.[1];
  if (code === undefined) throw new Error(`README has no example "${title}"`);
  return code;
}

async function printed(title: string, settings: Record<string, string> = {}): Promise<string> {
  const options = { cwd: work, env: { ...environment, ...settings } };
  const { stdout } = await run(python, ['-W', 'error', '-c', await example(title)], options);
  return stdout;
}

withPython('the tests of the package pass with the installed wheel', async () => {
  // Not from the folder of the sources: the wheel is what is imported.
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--rootdir', work, join(folder, 'tests')];
  const { stdout } = await run(python, args, { cwd: work, env: { ...bare, HYPOTHESIS_STORAGE_DIRECTORY: work } });
  expect(stdout).toMatch(/\d+ passed/);
  expect(stdout).not.toMatch(/skipped|xfailed/);
  const where = await run(python, ['-c', 'import lastro; print(lastro.__file__)'], { cwd: work, env: bare });
  expect(where.stdout).toContain(join(work, 'venv'));
});

withPython('live updates of the running program come once and in order, over connections that are cut', async () => {
  const args = [
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    '--rootdir',
    work,
    join(folder, 'tests/program_live.py'),
  ];
  const { stdout } = await run(python, args, { cwd: work, env: environment });
  expect(stdout).toMatch(/\d+ passed/);
  expect(stdout).not.toMatch(/skipped|xfailed/);
});

withPython('the package needs only httpx, and its stubs have every method and type', async () => {
  const code = `
import ast, importlib.metadata as metadata, pathlib, lastro, lastro.types, lastro.events
print([one for one in metadata.requires("lastro") if "extra" not in one])
folder = pathlib.Path(lastro.__file__).parent
print(sorted(file.name for file in folder.iterdir() if file.suffix in (".pyi", ".json", ".typed")))
def names(stub, owner=None):
    body = ast.parse((folder / stub).read_text()).body
    body = next(one.body for one in body if getattr(one, "name", "") == owner) if owner else body
    return {one.target.id if isinstance(one, ast.AnnAssign) else getattr(one, "name", "") for one in body} - {""}
for client in (lastro.Client, lastro.AsyncClient):
    methods = client.__base__
    made = {name for name in vars(methods) if not name.startswith("_")}
    print(len(made) > 100, made == names("_methods.pyi", methods.__name__))
for module in (lastro.types, lastro.events):
    print(set(module.__all__) == names(f"{module.__name__.split('.')[-1]}.pyi"))`;
  const { stdout } = await run(python, ['-c', code], { cwd: work, env: bare });
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^\['httpx[^,']*(,[^']*)?'\]$/),
    "['_methods.pyi', 'events.pyi', 'openapi.json', 'py.typed', 'types.pyi']",
    ...['True True', 'True True', 'True', 'True'],
  ]);
});

withPython('README: operations', async () => {
  const lines = (await printed('Operations')).trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line).toMatch(/R\$ [\d.]+,\d\d \d{4}-\d\d-\d\d \d+$/);
});

withPython('README: prices and payments as frames', async () => {
  const output = await printed('Prices and payments');
  expect(output).toMatch(/date +unit_price +interest_j/);
  expect(output).toMatch(/\d{4}-\d\d-\d\d +\d+\.\d{8} +\d+\.\d{8}/);
  expect(output).toContain('decimal[38,2]');
});

withPython('README: credit assignment', async () => {
  expect(await printed('Credit assignment')).toMatch(/^[0-9a-f-]{36} SUBMITTED\n$/);
});

withPython('README: trading with live updates', async () => {
  let output = await printed('Trading');
  // A market order is IOC: under load the simulated market maker may have moved when it arrives, and it ends unfilled.
  for (let again = 0; again < 4 && /^CANCELLED 0$/m.test(output); again++) output = await printed('Trading');
  expect(output).toMatch(/^connecting\nlive\nFILLED 0\.\d+\n$/);
});

withPython('README: the receiver accepts a delivery by the old secret, and no other', async () => {
  const data = {
    trancheTicker: 'AURORA-TK1',
    patrimonyTicker: 'PAT-AURORA',
    previousStatus: 'DRAFT',
    status: 'ACTIVE',
  };
  const event = { type: 'tranche.status_changed', id: 'e1', createdAt: '2026-11-20T15:00:00.000Z', data };
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = documentedSignature(webhookSecrets[1] ?? '', { id: 'e1', timestamp, body });
  const headers = { 'x-webhook-id': 'e1', 'x-webhook-timestamp': String(timestamp), 'x-webhook-signature': signature };

  const accepted = await deliver(headers, body);
  expect(accepted.status).toBe(200);
  expect(accepted.output).toMatch(/^tranche\.status_changed e1 TrancheStatusChanged\(tranche_ticker='AURORA-TK1'/);
  const refused = await deliver(headers, body.replace('ACTIVE', 'CLOSED'));
  expect(refused).toEqual({ status: 401, output: '' });
});

/** Starts the receiver, which takes one delivery and ends. */
async function deliver(headers: Record<string, string>, body: string): Promise<{ status: number; output: string }> {
  const port = await freePort();
  const output = printed('A receiver of webhooks', { PORT: String(port) });
  const status = await until('the receiver of the example', () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }),
  );
  return { status: status.status, output: await output };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
