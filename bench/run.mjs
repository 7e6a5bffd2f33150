import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { enter, startPlatform } from './kit/platform.mjs';
import { stopGenerator } from './kit/load.mjs';
import { machine } from './kit/machine.mjs';
import { readOptions } from './kit/options.mjs';
import { failuresIn, stopAll } from './kit/processes.mjs';
import { writeReport } from './kit/report.mjs';
import { measureAssets } from './measures/assets.mjs';
import { measureAssignment } from './measures/assignment.mjs';
import { comparisons, figures } from './measures/compare.mjs';
import { measureList } from './measures/data.mjs';
import { measureFederation } from './measures/federation.mjs';
import { measureGraphql, requestsTo } from './measures/graphql.mjs';
import { measureHostile } from './measures/hostile.mjs';
import { measureRest } from './measures/rest.mjs';
import { measureMemory, measureRestarts, measureStartup } from './measures/startup.mjs';
import { measureWebhooks } from './measures/webhooks.mjs';
import { withPeers } from './sides/peers.mjs';

const options = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-'));
const timing = { rounds: options.rounds, seconds: options.seconds, connections: 32, warmUpSeconds: 5 };

process.once('SIGINT', () => void leave(130));
process.once('SIGTERM', () => void leave(143));
try {
  const report = await measure();
  process.stdout.write(`\n${report}\n`);
  if (options.write) writeReport(report);
  await leave(0);
} catch (error) {
  process.stderr.write(`${[error.stack, ...failuresIn(folder)].join('\n')}\n`);
  await leave(1);
}

/** Takes every requested measure, one after the other, and formats the results. */
async function measure() {
  const compared = [];
  const measured = [];
  const step = async (letters, title, work, into) => {
    if (![...letters].some((letter) => options.only.has(letter))) return;
    process.stderr.write(`${title} …\n`);
    const taken = await work();
    // A later measure may fail: what was taken before is not lost.
    process.stderr.write(`${into === measured ? figures(taken) : comparisons(taken)}\n`);
    into.push(...taken);
  };

  const federated = [];
  await step('p', 'Federation', () => measureFederation({ folder, timing, options }), federated);
  // It needs no common platform.
  if ([...options.only].every((letter) => letter === 'p')) return words(undefined, federated, measured);
  await step('e', 'Start-up', () => measureStartup({ folder }), measured);
  await step('e', 'Restarts', () => measureRestarts({ folder }), measured);
  const platform = await startPlatform(folder);
  const entry = await enter(platform);
  const bench = { platform, entry, folder, options, timing };
  const requests = [
    ...requestsTo(`${platform.url}/graphql`, entry).map(([first]) => first),
    { url: `${platform.url}/v1/emissoes/operacoes`, method: 'GET', headers: { 'x-api-key': entry.apiKey } },
  ];
  await step('e', 'Memory', () => measureMemory({ ...bench, requests }), measured);
  await step('a', 'REST', () => measureRest(bench), compared);
  await step('bcd', 'GraphQL', () => withPeers(bench, (peers) => measureGraphql(bench, peers)), compared);
  await step('f', 'The list', () => measureList(bench), measured);
  await step('h', 'Assets', () => measureAssets(bench), measured);
  await step('j', 'Webhooks', () => measureWebhooks(bench), measured);
  await step('l', 'Credit assignment', () => measureAssignment(bench), measured);
  await step('m', 'Attacks', () => measureHostile(bench), measured);
  return words(await postgresVersion(entry.databaseUrl), [...compared, ...federated], measured);
}

function words(version, compared, measured) {
  const load = `${timing.rounds} rounds of ${timing.seconds} s a side, in turn, ${timing.connections} connections`;
  return [
    `${machine(version)}. ${load}. Taken on ${new Date().toISOString().slice(0, 10)}.`,
    ...(compared.length > 0 ? [comparisons(compared)] : []),
    ...(measured.length > 0 ? [figures(measured)] : []),
  ].join('\n\n');
}

async function postgresVersion(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  return rows[0].server_version;
}

/** Stops everything that was started, removes what was written, and exits. */
async function leave(code) {
  stopGenerator();
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
