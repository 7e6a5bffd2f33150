import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { openTestPlatform } from '../kit/platform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docs/guides');

let received = 0;
const platform = await openTestPlatform({ DEMO: 'true', PROCESSING_GRACE: '0', WEBHOOK_ALLOW_INSECURE: 'true' });
const receiver = createServer((request, response) => {
  received += 1;
  request.resume().on('end', () => response.end());
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { publicApiKey, developerApiKey, originator, trading } = platform.demo();
const privateKey = join(platform.dataDir, 'originator.pem');
await writeFile(privateKey, originator.privateKeyPem, { mode: 0o600 });
const env = {
  PATH: process.env['PATH'],
  HOME: platform.dataDir,
  LASTRO_URL: platform.url,
  API_KEY: publicApiKey,
  DEVELOPER_KEY: developerApiKey,
  RECEIVER_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
  CLIENT_ID: originator.clientId,
  PRIVATE_KEY: privateKey,
  TRADING_API_KEY: trading.apiKey,
  TRADING_SECRET_KEY: trading.secretKey,
};
afterAll(async () => {
  receiver.close();
  await platform.close();
});

/** Runs the commands of a guide one after the other, as a reader would paste them into one shell. */
async function run(guide: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const text = readFileSync(join(folder, guide), 'utf8');
  const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
  expect(commands.length).toBeGreaterThan(1);
  // The shell is the one of the reader's machine, with what POSIX says and no more; dash has no `pipefail` before 0.5.13.
  const script = [
    'set -eu',
    '(set -o pipefail) 2> /dev/null && set -o pipefail',
    ...commands.map((block) => `set +x\n${block}echo`),
  ].join('\n');
  const child = spawn('sh', ['-c', script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

/** What a reader of a guide sees, if all of it works. */
const seen: Readonly<Record<string, RegExp>> = {
  'first-steps.md': /"unitPrice":"\d+\.\d{8}"[\s\S]*date,unitPrice[\s\S]*operacoes: \d+[\s\S]*"statusCode":400/,
  'graphql.md': /"totalCount":\d+[\s\S]*requestedQueryCost[\s\S]*BAD_REQUEST[\s\S]*eventCursor/,
  'webhooks.md': /DELIVERED/i,
  'assign-credits.md': /SUBMITTED/,
  'trade.md': /"available"[\s\S]*"bid"[\s\S]*"averagePrice"/,
  'agents.md': /comparar_operacoes[\s\S]*"result":/,
};

test.each(readdirSync(folder))('the commands of %s work as they are printed', async (guide) => {
  const { code, output } = await run(guide);
  expect(`${output}\nexit code ${String(code)}`).toMatch(/exit code 0$/);
  expect(output).toMatch(seen[guide] ?? /never/);
});

test('the receiver of the guide got its delivery', () => {
  expect(received).toBeGreaterThan(0);
});
