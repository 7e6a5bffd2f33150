import http from 'node:http';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { attacks } from '../hostile/attacks.mjs';
import { findEmbedded } from '../../dist/shared/database/embedded.js';
import { startPlatform } from '../kit/platform.mjs';
import { answers, runProcess } from '../kit/processes.mjs';
import { onboardClient } from '../kit/signer.mjs';
import { median, quantile } from '../kit/statistics.mjs';
import { memoryMb } from '../kit/usage.mjs';

const attacker = fileURLToPath(new URL('../hostile/attacker.mjs', import.meta.url));
const saturator = fileURLToPath(new URL('../hostile/saturator.mjs', import.meta.url));
const attackRounds = 3;
const windowSeconds = 6;
/** Time until the connections of an attack are open: opening 1,500 delays others by some 0.3 s, once. */
const openingMs = 1_500;
const saturationRounds = 7;
const saturationSeconds = 4;
const perSecond = 40;
/** Other callers come from networks of their own: all of 127.0.0.0/8 is loopback on Linux. */
const quietNetworks = 60;
const defaults = Object.fromEntries(
  ['PUBLIC', 'ACCOUNTS', 'SESSION', 'API_KEY', 'CLIENT', 'GRAPHQL'].map((name) => [`RATE_LIMIT_${name}`, '']),
);

/** (m) Measures one attacker at a time against default limits, and its effect on other callers; then more requests than can be served. */
export async function measureHostile({ folder }) {
  const platform = await startPlatform(folder, undefined, defaults);
  const port = Number(new URL(platform.url).port);
  const env = { SIGNER: JSON.stringify(await onboardClient(await findEmbedded(platform.dataDir))) };
  await quietly(port, 3);
  const quiet = [];
  const rows = [];
  for (const [number, { name }] of attacks.entries()) {
    const rounds = [];
    forgetPeak(platform.pid);
    for (let round = 0; round < attackRounds; round += 1) {
      const { p99 } = await quietly(port, windowSeconds);
      quiet.push(p99);
      const attackSeconds = windowSeconds + openingMs / 1_000 + 0.5;
      const attacking = runProcess({ args: [attacker, String(number), String(port), String(attackSeconds)], env });
      await sleep(openingMs);
      const seen = await quietly(port, windowSeconds);
      await attacking;
      if (seen.wrong > 0)
        throw new Error(`${seen.wrong} of ${seen.requests} other callers were refused beside: ${name}`);
      rounds.push(seen.p99 / p99);
      await sleep(1_000);
    }
    const { highest } = memoryMb(platform.pid) ?? {};
    rows.push(
      { name: `(m) ${name}: p99 of other callers ÷ quiet`, value: median(rounds), unit: '', below: 5 },
      { name: '(m) its highest resident memory', value: highest, unit: 'MB', digits: 0, below: 537 },
    );
    if (!(await answers(`${platform.url}/healthz`))) throw new Error(`The program is gone after: ${name}`);
  }
  rows.unshift({ name: '(m) other callers while nobody attacks: p99', value: median(quiet), unit: 'ms' });
  await platform.stop();
  return [...rows, ...(await measureSaturation({ folder }))];
}

/**
 * Measures requests of callers without limits: as many as are served on 64 connections, then two and four times as many on 1,500. In turn, and each
 * round relative to its own baseline: the speed of the machine varies from one minute to the next.
 */
async function measureSaturation({ folder }) {
  const platform = await startPlatform(folder);
  const port = Number(new URL(platform.url).port);
  await saturated(port, 64, 8);
  // The code path of rejections is compiled before the first round too.
  await saturated(port, 1_500, saturationSeconds, 3_000);
  const full = [];
  const over = { 2: [], 4: [] };
  for (let round = 0; round < saturationRounds; round += 1) {
    const alone = await saturated(port, 64, saturationSeconds);
    if (alone.perSecond === 0) throw new Error(`Nothing was served: ${JSON.stringify(alone)}`);
    full.push(alone.perSecond);
    for (const times of [2, 4]) {
      const seen = await saturated(port, 1_500, saturationSeconds, alone.perSecond * times);
      over[times].push({ ...seen, goodput: seen.perSecond / alone.perSecond });
    }
  }
  await platform.stop();
  const name = '(m) requests/s served on 64 connections';
  return [
    { name, value: median(full), unit: '/s', digits: 0 },
    ...[2, 4].flatMap((times) => overRows(times, over[times])),
  ];
}

function overRows(times, rounds) {
  const middle = (of) => median(rounds.map(of));
  const sum = (of) => rounds.reduce((all, round) => all + of(round), 0);
  const asked = `(m) ${times} × as many asked for, on 1,500`;
  return [
    { name: `${asked}: served`, value: middle(({ goodput }) => goodput), unit: '×', digits: 2, above: 0.9 },
    { name: '(m) p99 of what is served', value: middle(({ p99 }) => p99), unit: 'ms', digits: 0, below: 1_000 },
    { name: '(m) answered 503', value: sum(({ shed }) => shed), unit: '', digits: 0 },
    {
      name: '(m) connections that broke',
      value: sum(({ failed, other }) => failed + other),
      unit: '',
      digits: 0,
      below: 1,
    },
    { name: '(m) probes that failed', value: sum(({ unanswered }) => unanswered), unit: '', digits: 0, below: 1 },
  ];
}

/** Sends requests evenly from many networks; latency counts from the moment at which a request was due. */
async function quietly(port, seconds) {
  const agents = Array.from(
    { length: quietNetworks },
    (_, index) => new http.Agent({ keepAlive: true, localAddress: `127.0.1.${index + 1}` }),
  );
  const latencies = [];
  let wrong = 0;
  const begun = performance.now();
  const sent = [];
  for (let index = 0; index < seconds * perSecond; index += 1) {
    const due = begun + (index * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    const asked = ask(port, agents[index % agents.length]).then((status) => {
      if (status !== 200) wrong += 1;
      latencies.push(performance.now() - due);
    });
    sent.push(asked);
  }
  await Promise.all(sent);
  for (const agent of agents) agent.destroy();
  return { p99: quantile(latencies, 0.99), requests: latencies.length, wrong };
}

/**
 * Sends requests on so many connections: each connection immediately again, or all together at a rate, as far as connections are free. Sends probes in
 * parallel.
 */
async function saturated(port, connections, seconds, rate = 0) {
  let probed = 0;
  let unanswered = 0;
  const agent = new http.Agent({ keepAlive: true, localAddress: '127.0.4.1' });
  const probes = setInterval(() => {
    probed += 1;
    const path = ['/healthz', '/readyz', '/metrics'][probed % 3];
    void ask(port, agent, path).then((status) => {
      if (status !== 200) unanswered += 1;
    });
  }, 100);
  const { output } = await runProcess({ args: [saturator, ...[port, connections, seconds, rate].map(String)] });
  clearInterval(probes);
  await sleep(500);
  agent.destroy();
  return { ...JSON.parse(output), unanswered };
}

function ask(port, agent, path = '/public/tranches?limit=1') {
  return new Promise((resolve) => {
    const asked = http.get({ port, host: '127.0.0.1', path, agent, timeout: 20_000 });
    asked.once('timeout', () => asked.destroy()).once('error', () => resolve(0));
    asked.once('response', (response) => {
      response.resume().once('close', () => resolve(response.complete ? response.statusCode : 0));
    });
  });
}

/** Resets the peak of a process' resident memory. Linux only. */
function forgetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Otherwise it is the peak since the start.
  }
}
