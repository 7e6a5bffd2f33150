import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeOperations } from '../kit/dataset.mjs';
import { demoCredentials, environment } from '../kit/platform.mjs';
import { answerOf, load } from '../kit/load.mjs';
import { runProcess } from '../kit/processes.mjs';

const cli = fileURLToPath(new URL('../../dist/lastro/main.js', import.meta.url));

/** (f) Measures the list of the operations with 1,000 of them beside the demo's, at a constant 50 requests a second. */
export async function measureList({ platform, entry, folder, timing }) {
  const files = await writeOperations(mkdtempSync(join(folder, 'operations-')), 1_000);
  const env = {
    ...environment,
    DATA_DIR: platform.dataDir,
    LASTRO_OPERATOR_KEY: demoCredentials(platform.dataDir).operatorKey,
  };
  await runProcess({ args: [cli, 'import', ...files], env });
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
