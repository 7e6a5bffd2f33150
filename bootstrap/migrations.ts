import { existsSync } from 'node:fs';
import { readMigrations, type SchemaMigrations } from '../shared/database/migrate.js';
// Registers the program's privileges on the tables.
import './registry.js';

/** Every schema of the program with its migrations, in the order in which they are applied. */
export const migrations: readonly SchemaMigrations[] = [
  { schema: 'shared', folder: '../shared/database/migrations/' },
  { schema: 'accounts', folder: '../subgraphs/accounts/migrations/' },
  { schema: 'issuances', folder: '../subgraphs/issuances/migrations/' },
  { schema: 'tokenization', folder: '../subgraphs/tokenization/migrations/' },
  { schema: 'credit_assignment', folder: '../subgraphs/credit-assignment/migrations/' },
  { schema: 'trading', folder: '../subgraphs/trading/migrations/' },
  { schema: 'webhooks', folder: '../subgraphs/webhooks/migrations/' },
]
  .map(({ schema, folder }) => ({ schema, folder: new URL(folder, import.meta.url) }))
  .filter(({ folder }) => existsSync(folder))
  .map(({ schema, folder }) => ({ schema, migrations: readMigrations(folder) }));
