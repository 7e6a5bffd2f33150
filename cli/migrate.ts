import { loadConfig } from '../shared/config.js';
import type { Command } from './command.js';
import { withDatabase } from './database.js';

export const migrateCommand: Command = {
  usage: `Usage: npm run lastro -- migrate

Applies the migrations that the database lacks, all or none. \`npm start\` does the same; this is for deployments that
migrate before the new program starts. The database is that of DATABASE_URL, else the embedded one of DATA_DIR.
With DATABASE_OWNER_URL the migrations are applied as that role, which then gives the one of DATABASE_URL its privileges.`,
  run: async () => {
    await withDatabase(loadConfig(), () => Promise.resolve());
    process.stdout.write('The database is at the last migration.\n');
    return 0;
  },
};
