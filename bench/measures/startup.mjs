import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readPidFile } from '../../dist/shared/database/embedded-takeover.js';
import { sign } from '../../examples/signed-client/client.mjs';
import { contractsOf, firstEstate } from '../kit/credits.mjs';
import { enter, startPlatform } from '../kit/platform.mjs';
import { load } from '../kit/load.mjs';
import { runProcess } from '../kit/processes.mjs';
import { onboardClient } from '../kit/signer.mjs';
import { median } from '../kit/statistics.mjs';
import { memoryMb } from '../kit/usage.mjs';

const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
const starts = 3;
const kills = 7;
const writers = 4;
const secondsOfWrites = 4;

/** (e) Measures the time from the command to the first 200 of /readyz: on an empty data folder, and on a used one. */
export async function measureStartup({ folder }) {
  const [first, second, building] = [[], [], []];
  for (let index = 0; index < starts; index += 1) {
    building.push((await runProcess({ args: [build, '--quiet'] })).seconds);
    const dataDir = mkdtempSync(join(folder, 'start-'));
    for (const times of [first, second]) {
      const platform = await startPlatform(folder, dataDir);
      times.push(platform.startupMs / 1000);
      await platform.stop();
    }
  }
  const check = median(building);
  return [
    { name: '(e) first start, empty data folder', value: check + median(first), unit: 's', below: 20 },
    { name: '(e) second start', value: check + median(second), unit: 's', below: 6 },
  ];
}

/**
 * (e) Measures the time from the command to the first 200 of /readyz after SIGKILL of the program and of its PostgreSQL, while signed batches of credits
 * are being accepted and processed.
 */
export async function measureRestarts({ folder }) {
  const dataDir = mkdtempSync(join(folder, 'killed-'));
  const env = { PROCESSING_GRACE: '0' };
  let platform = await startPlatform(folder, dataDir, env);
  const { databaseUrl } = await enter(platform);
  const patrimonyId = await firstEstate(platform.url);
  const signer = await onboardClient(databaseUrl, patrimonyId);
  const times = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const stop = new AbortController();
    const writing = Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        writeBatches({ ...signer, baseUrl: platform.url, name: `${kill}-${writer}`, patrimonyId }, stop.signal),
      ),
    );
    await sleep(secondsOfWrites * 1000);
    const server = await readPidFile(join(dataDir, 'postgres'));
    process.kill(platform.pid, 'SIGKILL');
    process.kill(server.pid, 'SIGKILL');
    stop.abort();
    if ((await writing).reduce((all, count) => all + count, 0) === 0) throw new Error('Nothing was written');
    platform = await startPlatform(folder, dataDir, env);
    times.push(platform.startupMs / 1000);
  }
  await platform.stop();
  return [
    { name: `(e) start after a SIGKILL under load, of ${kills}: median`, value: median(times), unit: 's', below: 6 },
    { name: '(e) the slowest of them', value: Math.max(...times), unit: 's', below: 6 },
  ];
}

/** Sends batches of credits, each with a request that processes it, until the signal or an error. @returns how many */
async function writeBatches({ baseUrl, clientId, privateKey, name, patrimonyId }, signal) {
  for (let count = 0; ; count += 1) {
    const send = (path, body) => post({ baseUrl, clientId, privateKey, path, body, signal });
    const contracts = contractsOf(500, `RESTART-${name}-${count}`);
    const batch = await send('/tidc/v1/credit-batches', { patrimonyId, contracts }).catch(() => undefined);
    if (batch === undefined) return count;
    await send(`/tidc/v1/credit-batches/${batch.id}/submit`).catch(() => undefined);
  }
}

/** Sends one signed POST, once. */
async function post({ baseUrl, clientId, privateKey, path, body, signal }) {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-client-id': clientId,
      'x-timestamp': timestamp,
      'x-signature': sign(privateKey, { method: 'POST', target: path, timestamp, body: bytes }),
      'x-idempotency-key': randomUUID(),
    },
    body: bytes,
    signal,
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** (e) Measures resident memory of the program's own process: at rest after a start, and the peak while every interface is loaded. */
export async function measureMemory({ platform, requests, timing }) {
  await sleep(5_000);
  const idle = memoryMb(platform.pid);
  for (const request of requests) await load({ requests: [request], connections: 64, seconds: timing.seconds * 2 });
  const loaded = memoryMb(platform.pid);
  return [
    { name: '(e) resident memory at rest, without PostgreSQL', value: idle?.now, unit: 'MB', digits: 0, below: 400 },
    { name: '(e) the highest under load', value: loaded?.highest, unit: 'MB', digits: 0, below: 400 },
  ];
}
