import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { testMasterKey } from '../kit/context.js';
import type { PatroniCluster } from '../kit/patroni.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { build, killGroup, newDataFolder, startProgram, type Program } from '../start/program.js';
import { openReceiver } from '../webhooks/receiver.js';

/** Two instances of the program on a cluster, with those who call them and a receiver of their webhooks. */
export type FailoverHouse = Awaited<ReturnType<typeof openFailoverHouse>>;

/** How old published data may be that is read while there is no primary, in seconds. */
const replicaMaxLag = 60;

const credentialsForm = z.object({
  publicApiKey: z.string(),
  developerApiKey: z.string(),
  operatorKey: z.string(),
  originator: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});
export const batchEvents = ['credit_batch.submitted', 'credit_batch.approved', 'credit_batch.processed'] as const;

export async function openFailoverHouse(cluster: PatroniCluster) {
  await build();
  const receiver = await openReceiver();
  const folders = [await newDataFolder(), await newDataFolder()];
  const programs: Program[] = [];
  const start = (dataDir: string, env: Readonly<Record<string, string>>) => {
    const program = startProgram({
      env: {
        DATA_DIR: dataDir,
        DATABASE_URL: cluster.url,
        DATABASE_REPLICA_URLS: cluster.nodeUrls.join(','),
        REPLICA_MAX_LAG: String(replicaMaxLag),
        DATABASE_POOL: '10',
        MASTER_KEY: testMasterKey.toString('base64'),
        PROCESSING_GRACE: '0',
        WEBHOOK_ALLOW_INSECURE: 'true',
        ...rateLimitVariables(1_000_000),
        ...env,
      },
    });
    programs.push(program);
    return program.ready;
  };
  const close = async () => {
    await Promise.all(programs.map(killGroup));
    await receiver.close();
    for (const folder of folders) await folder.remove();
  };
  try {
    const [first = '', second = ''] = folders.map(({ dataDir }) => dataDir);
    const urls = [
      await start(first, { DATABASE_ADMIN_URL: cluster.ownerUrl, DEMO: 'true' }),
      await start(second, {}),
    ].map((url) => url.replace('localhost', '127.0.0.1'));
    const [url = ''] = urls;
    const credentials = credentialsForm.parse(JSON.parse(readFileSync(join(first, 'demo-credentials.json'), 'utf8')));
    const { items } = z
      .object({ items: z.array(z.object({ id: z.string() })) })
      .parse(await (await fetch(`${url}/public/patrimonies`)).json());
    const patrimonyId = items[0]?.id ?? '';
    await post(`${url}/developer/webhooks`, credentials.developerApiKey, {
      url: receiver.url,
      events: batchEvents,
    });
    // No limit of the demo may reject what the load assigns.
    const query = `mutation ($id: ID!) { setEligibilityCriteria(patrimonyId: $id, criteria: {}, reason: "Teste de carga") { updatedAt } }`;
    await post(`${url}/graphql`, credentials.operatorKey, { query, variables: { id: patrimonyId } });
    const { clientId, privateKeyPem } = credentials.originator;
    return {
      programs,
      urls,
      signer: { clientId, key: createPrivateKey(privateKeyPem) },
      patrimonyId,
      /** Of an operator with all roles, and of an account that only reads. */
      operatorKey: credentials.operatorKey,
      apiKey: credentials.publicApiKey,
      receiver,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function post(url: string, key: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${url}: ${response.status} ${text}`);
}
