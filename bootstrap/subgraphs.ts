import { bucketOfKey } from '../gateway/http/route-policy.js';
import type { Subgraph } from '../shared/graphql/subgraph.js';
import type { ReadKeyWindow } from '../subgraphs/accounts/api-keys/key-usage.js';
import { createAccounts, type Accounts } from '../subgraphs/accounts/subgraph.js';
import { createCreditAssignment, type CreditAssignment } from '../subgraphs/credit-assignment/subgraph.js';
import { createIssuances } from '../subgraphs/issuances/subgraph.js';
import { createTokenization } from '../subgraphs/tokenization/subgraph.js';
import { createTrading, type Trading, type TradingParts } from '../subgraphs/trading/subgraph.js';
import type { Venue } from '../subgraphs/trading/venues/venue.js';
import { createWebhooks, type Webhooks } from '../subgraphs/webhooks/subgraph.js';
import { closeAll } from './close-all.js';
import type { Infrastructure } from './infrastructure.js';
import { importDomains } from './imports.js';

export interface Domains {
  readonly accounts: Accounts;
  readonly creditAssignment: CreditAssignment;
  readonly trading: Trading;
  readonly webhooks: Webhooks;
  readonly all: readonly Subgraph[];
  close(): Promise<void>;
}

export interface DomainsOptions {
  /** Exchanges that trading sends orders to, in addition to the simulated ones. */
  readonly exchanges?: readonly Venue[];
  readonly transfers?: TradingParts['transfers'];
}

/** Returns how the use of a key in the present minute is read: from the limiter that counts it. Without Redis that is the one of the process with the interfaces. */
function keyWindowReader({ config, limiter }: Infrastructure): ReadKeyWindow {
  if (config.role !== 'all' && config.redisUrl === undefined) return undefined;
  return async (keyId, limit) => {
    const { remaining, resetsAt } = await limiter.take(bucketOfKey(keyId, limit), 0);
    return { used: limit - remaining, limit, resetsAt: new Date(resetsAt * 1000) };
  };
}

export async function openDomains(
  infrastructure: Infrastructure,
  { exchanges = [], transfers = {} }: DomainsOptions = {},
): Promise<Domains> {
  const accounts = await createAccounts({
    ...infrastructure,
    importDomains,
    readKeyWindow: keyWindowReader(infrastructure),
    requiresFactor: (accountId) => creditAssignment.signingOriginators.isLinked(accountId),
  });
  const issuances = await createIssuances(infrastructure);
  const tokenization = await createTokenization(infrastructure);
  const creditAssignment = createCreditAssignment(infrastructure);
  const trading = createTrading({ ...infrastructure, exchanges, transfers });
  const webhooks = createWebhooks(infrastructure);
  return {
    accounts,
    creditAssignment,
    trading,
    webhooks,
    all: [accounts, issuances, tokenization, creditAssignment, trading, webhooks],
    close: () =>
      closeAll([
        () => trading.close(),
        () => tokenization.close(),
        () => creditAssignment.close(),
        () => accounts.close(),
      ]),
  };
}
