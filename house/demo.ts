import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemo } from '../subgraphs/accounts/demo.js';
import { loadDemo } from '../subgraphs/issuances/demo/demo.js';
import { loadDemoContracts } from '../subgraphs/tokenization/chain/demo-contracts.js';
import { loadTokenizationDemo } from '../subgraphs/tokenization/demo/demo.js';
import type { Floor } from './floor.js';

/**
 * Fills an empty database with the demo, and writes how to log in. Each part does nothing where it is already there, and goes on
 * where it is there in part, so a start that was cut short is made good by the next.
 */
export async function openDemo({ config, context, keyRing, log }: Floor): Promise<void> {
  const begun = performance.now();
  const credentials = await createDemo(context, keyRing, config.rateLimits.apiKey);
  if (credentials === undefined) return;
  const loaded = [await loadDemo(context), await loadTokenizationDemo(context)];
  await loadDemoContracts(context);
  await mkdir(config.dataDir, { recursive: true });
  const file = join(config.dataDir, 'demo-credentials.json');
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  if (loaded.includes(true)) log.info({ ms: Math.round(performance.now() - begun) }, 'The demo data was loaded');
}
