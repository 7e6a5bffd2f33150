import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform, type Platform, type PlatformOptions } from '../../bootstrap/platform.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { quietLog, testMasterKey } from './context.js';
import { openTestDatabase } from './database.js';

export type TestPlatform = Platform & { readonly dataDir: string; readonly ownerUrl: string };

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
    close: async () => {
      await platform.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
