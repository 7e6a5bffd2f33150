import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findEmbedded } from '../../dist/shared/database/embedded.js';
import { nodeFlags } from '../../scripts/node-flags.mjs';
import { answers, freePort, startProcess } from './processes.mjs';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const plenty = '10000000';

/** The environment of every process of the bench: production, with limits that no measure reaches. */
export const environment = {
  NODE_ENV: 'production',
  MASTER_KEY: randomBytes(32).toString('base64'),
  PUBLIC_URL: 'https://lastro.invalid',
  SMTP_URL: 'smtp://127.0.0.1:9',
  REQUIRE_HTTPS: 'false',
  DEMO: 'true',
  APOLLO_TELEMETRY_DISABLED: '1',
  RATE_LIMIT_PUBLIC: plenty,
  RATE_LIMIT_PAGES: plenty,
  RATE_LIMIT_ACCOUNTS: plenty,
  RATE_LIMIT_SESSION: plenty,
  RATE_LIMIT_API_KEY: plenty,
  RATE_LIMIT_CLIENT: plenty,
  RATE_LIMIT_GRAPHQL: '1000000000',
};

/** Starts the program like `npm start`, but without compiling, and waits until it reports that it is ready. */
export async function startPlatform(folder, dataDir = mkdtempSync(join(folder, 'data-')), env = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name: 'lastro',
    args: [...nodeFlags, main],
    env: { ...environment, ...env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir },
    cwd: folder,
    folder,
    ready: () => answers(`${url}/readyz`),
  });
  return { ...running, url, dataDir, pids: () => [running.pid] };
}

/** Returns the demo's credentials, a session of its account, its operations, and the database URL of a running program. */
export async function enter({ url, dataDir }) {
  const { account, publicApiKey } = demoCredentials(dataDir);
  const { token, user } = await logIn(url, account);
  const { data } = await post(
    `${url}/graphql`,
    { query: '{ operations(first: 100) { nodes { ticker } } }' },
    { authorization: `Bearer ${token}` },
  );
  const tickers = data.operations.nodes.map(({ ticker }) => ticker);
  return { account, apiKey: publicApiKey, token, user, tickers, databaseUrl: await findEmbedded(dataDir) };
}

/** Reads the demo's credentials of its account and operator. */
export function demoCredentials(dataDir) {
  return JSON.parse(readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8'));
}

/** Logs in and returns the session's token and its user. */
export async function logIn(url, { email, password }) {
  const { accessToken: token, user } = await post(`${url}/v1/emissoes/auth/login`, { email, password });
  return { token, user };
}

async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
