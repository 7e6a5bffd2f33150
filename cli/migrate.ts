import { withDatabase } from '../bootstrap/operator.js';
import { loadConfig } from '../shared/kernel/config.js';
import { commandLog } from './acting.js';
import type { Command } from './command.js';

export const migrateCommand: Command = {
  usage: `Usage: npm run lastro -- migrate

Applies all pending migrations of the database, or none. \`npm start\` does the same; this command is for deployments that
migrate before the new program starts. The database is the one of DATABASE_URL, otherwise the embedded one in DATA_DIR.
With DATABASE_ADMIN_URL the migrations are applied as that role, which then grants the role of DATABASE_URL its privileges.`,
  run: async () => {
    const config = loadConfig();
    await withDatabase(config, commandLog(config), () => Promise.resolve(), { create: true });
    process.stdout.write('All migrations are applied.\n');
    return 0;
  },
};
