import { migrations } from '../bootstrap/migrations.js';
import type { Config } from '../shared/config.js';
import { openDatabase, type Database } from '../shared/database/database.js';
import { openStore, prepareDatabase, requireDatabase, requireMigrated } from '../shared/database/store.js';
import { createLog } from '../shared/log.js';

/**
 * Gives `work` the migrated database: the one of `DATABASE_URL`, else the one that a running `npm start` keeps on
 * `DATA_DIR`, else the one in that folder, whose server is started for the duration of the work.
 * @param options `beside: false` refuses to work while a program runs on the folder; `create: true` makes a database where none is
 */
export async function withDatabase<T>(
  config: Config,
  work: (dataSource: Database) => Promise<T>,
  { beside = true, create = false } = {},
): Promise<T> {
  if (!create) requireDatabase(config);
  const store = await openStore(config, createLog('warn', process.stderr), { beside });
  try {
    const dataSource = await openDatabase({
      url: store.url,
      poolSize: 4,
      applicationName: 'lastro-cli',
    });
    try {
      if (!create) await requireMigrated(dataSource, migrations);
      await prepareDatabase(dataSource, store.ownerUrl, migrations);
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await store.stop();
  }
}
