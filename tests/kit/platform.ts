import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform, type Platform, type PlatformOptions } from '../../bootstrap/platform.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { quietLog, testMasterKey } from './context.js';
import { openTestDatabase } from './database.js';

interface DemoCredentials {
  readonly account: { readonly email: string; readonly password: string };
  readonly portalAccount: { readonly email: string; readonly password: string };
  readonly publicApiKey: string;
  readonly developerApiKey: string;
  readonly operatorKey: string;
  readonly originator: { readonly clientId: string; readonly privateKeyPem: string };
  readonly trading: { readonly apiKey: string; readonly secretKey: string };
}

export type TestPlatform = Platform & {
  readonly dataDir: string;
  readonly ownerUrl: string;
  readonly demo: () => DemoCredentials;
};

/** The whole house on a database of the test file's own and a free port: what `npm start` runs. */
export async function openTestPlatform(
  environment: Readonly<Record<string, string>> = {},
  options: PlatformOptions = {},
): Promise<TestPlatform> {
  const template = environment['DEMO'] === 'true' ? 'demo' : 'empty';
  const database = await openTestDatabase({ poolSize: 1, template });
  await database.dataSource.destroy();
  const dataDir = await mkdtemp(join(tmpdir(), 'lastro-test-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_POOL: '10',
    MASTER_KEY: testMasterKey.toString('base64'),
    DEMO: 'false',
    GRAPH_ACCELERATOR: process.env['GRAPH_ACCELERATOR'],
    ...environment,
  });
  const platform = await openPlatform(config, quietLog, options);
  return {
    ...platform,
    dataDir,
    ownerUrl: database.ownerUrl,
    demo: () => JSON.parse(readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8')) as DemoCredentials,
    close: async () => {
      await platform.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
