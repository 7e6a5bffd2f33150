import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openDataFolder } from '../shared/data-folder.js';
import { createRelay } from '../shared/outbox/relay.js';
import { createDemo } from '../subgraphs/accounts/demo/demo.js';
import { findConfirmed } from '../subgraphs/accounts/developer-keys/developer-key.store.js';
import type { DemoOriginator } from '../subgraphs/credit-assignment/demo/demo-originator.js';
import { loadCreditDemo } from '../subgraphs/credit-assignment/demo/demo.js';
import { loadDemo } from '../subgraphs/issuances/demo/demo.js';
import { loadDemoContracts } from '../subgraphs/tokenization/chain/demo-contracts.js';
import { loadTokenizationDemo } from '../subgraphs/tokenization/demo/demo.js';
import { openDemoCompany } from '../subgraphs/trading/access/demo-company.js';
import type { Infrastructure } from './infrastructure.js';
import type { Domains } from './subgraphs.js';

/**
 * Fills an empty database with the demo data and writes the demo's credentials. Each part skips what already exists and completes
 * what is incomplete, so that the next start finishes one that was interrupted.
 */
export async function openDemo(
  { config, context, keyRing, log }: Infrastructure,
  { all, trading: domain }: Domains,
): Promise<void> {
  const begun = performance.now();
  const credentials = await createDemo(context, keyRing);
  if (credentials === undefined) return;
  const loaded = [await loadDemo(context), await loadTokenizationDemo(context)];
  await loadDemoContracts(context);
  const file = join(config.dataDir, 'demo-credentials.json');
  const accountId = await findConfirmed(context, credentials.account.email);
  if (accountId === undefined) throw new Error('The account of the demo does not exist');
  const originator = await loadCreditDemo(context, {
    accountId,
    known: await readOriginator(file),
    relay: () => createRelay(context, { consumers: all.flatMap(({ consumers = [] }) => consumers) }).drain(),
  });
  const trading = await openDemoCompany(context, keyRing, { accountId, fund: domain.fundWallet });
  await domain.loadDemo(context, trading.apiKey);
  openDataFolder(config.dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify({ ...credentials, originator, trading }, null, 2)}\n`, {
    mode: 0o600,
  });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  if (loaded.includes(true)) log.info({ ms: Math.round(performance.now() - begun) }, 'The demo data was loaded');
}

const originatorForm = z.object({ originator: z.object({ clientId: z.string(), privateKeyPem: z.string() }) });

/** Reads the originator that an earlier start created; its key is stored nowhere else. */
async function readOriginator(file: string): Promise<DemoOriginator | undefined> {
  try {
    return originatorForm.safeParse(JSON.parse(await readFile(file, 'utf8'))).data?.originator;
  } catch {
    return undefined;
  }
}
