import './registry.js';
import type { AuditTrail } from '../shared/security/audit/trail.js';
import type { Clock } from '../shared/kernel/clock.js';
import type { Config } from '../shared/kernel/config.js';
import type { KeyRing } from '../shared/security/crypto.js';
import type { Database } from '../shared/database/database.js';
import type { Logger } from '../shared/kernel/log.js';
import type { Subgraph } from '../shared/graphql/subgraph.js';

export interface SubgraphParts {
  readonly config: Config;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dataSource: Database;
  readonly databaseUrl: string;
  readonly audit?: AuditTrail;
}

/** A domain without background work. */
export type OneSubgraph = Subgraph & { readonly close?: () => Promise<void> };

/** Opens each domain by its name; loads only the code of that domain. */
export const subgraphs: Readonly<Record<string, (parts: SubgraphParts) => Promise<OneSubgraph>>> = {
  accounts: async (parts) => {
    const { createAccounts } = await import('../subgraphs/accounts/subgraph.js');
    const { importDomains } = await import('./imports.js');
    // The demo's portal serves log-ins only.
    return createAccounts({ ...parts, importDomains, config: { ...parts.config, demo: false } });
  },
  issuances: async (parts) => (await import('../subgraphs/issuances/subgraph.js')).createIssuances(parts),
  tokenization: async (parts) => (await import('../subgraphs/tokenization/subgraph.js')).createTokenization(parts),
  'credit-assignment': async (parts) =>
    (await import('../subgraphs/credit-assignment/subgraph.js')).createCreditAssignment(parts),
  trading: async (parts) => (await import('../subgraphs/trading/subgraph.js')).createTrading(parts),
  webhooks: async (parts) => (await import('../subgraphs/webhooks/subgraph.js')).createWebhooks(parts),
};
