import type { Config } from '../shared/kernel/config.js';
import { openDatabase } from '../shared/database/database.js';
import { openStore, prepareDatabase } from '../shared/database/store.js';
import type { Logger } from '../shared/kernel/log.js';
import { migrations } from './migrations.js';

/** Long enough for a server that starts at the same time. */
const patienceMs = 60_000;

/** `ROLE=migrate`: brings the database to the last migration. Returns how many migrations were applied. */
export async function applyMigrations(config: Config, log: Logger): Promise<number> {
  const onWait = (message: string) => {
    log.warn(message);
  };
  const store = await openStore(config, log);
  try {
    const dataSource = await openDatabase({
      url: store.url,
      poolSize: 2,
      applicationName: 'lastro-migrate',
      patienceMs,
      onWait,
    });
    try {
      return await prepareDatabase(dataSource, store.ownerUrl, migrations, onWait);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await store.stop();
  }
}
