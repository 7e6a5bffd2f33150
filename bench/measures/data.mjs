import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeContracts, writeOperations } from '../kit/dataset.mjs';
import { demoCredentials, environment } from '../kit/platform.mjs';
import { answerOf, load } from '../kit/load.mjs';
import { runProcess } from '../kit/processes.mjs';
import { memoryMb } from '../kit/usage.mjs';

const cli = fileURLToPath(new URL('../../dist/lastro/main.js', import.meta.url));

/** Imports operations; those that are there already do not change. @returns their names in addresses */
export async function importOperations({ platform, folder }, count) {
  await importFiles(platform, await writeOperations(mkdtempSync(join(folder, 'operations-')), count, today()));
  return Array.from({ length: count }, (_, index) => `bench-${String(index + 1).padStart(6, '0')}`);
}

/** (f) Measures the list of the operations with 1,000 of them beside the demo's, at a constant 50 requests a second. */
export async function measureList({ platform, entry, folder, timing }) {
  await importOperations({ platform, folder }, 1_000);
  const request = {
    url: `${platform.url}/v1/emissoes/operacoes`,
    method: 'GET',
    headers: { 'x-api-key': entry.apiKey },
    rate: 50,
    connections: 50,
  };
  const body = await answerOf(request);
  const count = JSON.parse(body).cards.length;
  await load({ ...request, seconds: 5 });
  const { p50, p99, highest } = await load({ ...request, seconds: Math.max(20, timing.seconds * timing.rounds) });
  const name = `(f) ${request.method} /v1/emissoes/operacoes, ${count} operations, ${Math.round(body.length / 1000)} kB, 50/s`;
  return [
    { name: `${name}: p50`, value: p50, unit: 'ms' },
    { name: '(f) p99', value: p99, unit: 'ms', below: 40 },
    { name: '(f) the slowest', value: highest, unit: 'ms' },
  ];
}

/** (g) Measures the import of 200,000 contracts of one operation into the database of the running program. */
export async function measureImport({ platform, folder }) {
  const files = await writeContracts(mkdtempSync(join(folder, 'contracts-')), 200_000, today());
  const { seconds, highestMb } = await importFiles(platform, files);
  return [
    { name: '(g) import of 200,000 contracts', value: seconds, unit: 's', below: 60 },
    {
      name: '(g) its highest resident memory, without PostgreSQL',
      value: highestMb,
      unit: 'MB',
      digits: 0,
      below: 500,
    },
  ];
}

async function importFiles({ dataDir }, files) {
  let highestMb;
  let watch;
  const env = { ...environment, DATA_DIR: dataDir, LASTRO_OPERATOR_KEY: demoCredentials(dataDir).operatorKey };
  const onSpawn = (pid) => {
    watch = setInterval(() => (highestMb = memoryMb(pid)?.highest ?? highestMb), 50);
  };
  try {
    const { seconds } = await runProcess({ args: [cli, 'import', ...files], env, onSpawn });
    return { seconds, highestMb };
  } finally {
    clearInterval(watch);
  }
}

function today() {
  return new Date().toISOString().slice(0, 10);
}
