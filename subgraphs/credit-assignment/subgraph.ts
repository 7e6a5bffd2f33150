import { readMigrations } from '../../shared/database/migrate.js';
import type { Logger } from '../../shared/log.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { openClients, type Clients } from './originators/clients.js';
import { OriginatorResolver } from './originators/originator.resolver.js';

export interface CreditAssignmentParts {
  readonly log: Logger;
  /** Where the look-ups of clients go. Nothing connects before the first. */
  readonly databaseUrl: string;
}

export interface CreditAssignment extends Subgraph {
  /** Knows who signs with which keys, for the edge. */
  readonly clients: Clients;
  /** Lets go of the domain's own connections. */
  close(): Promise<void>;
}

/** The domain of credit assignment, wired. */
export function createCreditAssignment(parts: CreditAssignmentParts): CreditAssignment {
  const clients = openClients(parts);
  const { schema, sdl } = buildSubgraph({
    name: 'credit-assignment',
    resolvers: [new OriginatorResolver(clients.forget)],
  });
  return {
    name: 'credit-assignment',
    schema,
    sdl,
    jobs: [],
    consumers: [],
    entities: [],
    migrations: { schema: 'credit_assignment', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    clients,
    close: () => clients.close(),
  };
}
