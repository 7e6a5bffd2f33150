import type { DataSource } from 'typeorm';
import { migrations } from '../house/migrations.js';
import type { Config } from '../shared/config.js';
import { openDatabase } from '../shared/database/database.js';
import { findEmbedded, startEmbedded } from '../shared/database/embedded.js';
import { migrate } from '../shared/database/migrate.js';

/**
 * Gives `work` the migrated database: the one of `DATABASE_URL`, else the one that a running `npm start` keeps on
 * `DATA_DIR`, else one started on that folder for the time of the work.
 */
export async function withDatabase<T>(config: Config, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const running = config.database.url ?? (await findEmbedded(config.dataDir));
  const own = running === undefined ? await startEmbedded({ dataDir: config.dataDir }) : undefined;
  try {
    const url = running ?? own?.url ?? '';
    const dataSource = await openDatabase({ url, poolSize: 4, entities: [], applicationName: 'lastro-cli' });
    try {
      await migrate(dataSource, migrations);
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await own?.stop();
  }
}
