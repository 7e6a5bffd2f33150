import { readMigrations } from '../../shared/database/migrate.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { OriginatorResolver } from './originators/originator.resolver.js';

/** The domain of credit assignment, wired. */
export function createCreditAssignment(): Subgraph {
  const { schema, sdl } = buildSubgraph({ name: 'credit-assignment', resolvers: [new OriginatorResolver()] });
  return {
    name: 'credit-assignment',
    schema,
    sdl,
    jobs: [],
    consumers: [],
    entities: [],
    migrations: { schema: 'credit_assignment', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
  };
}
