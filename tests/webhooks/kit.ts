import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock, type Clock } from '../../shared/kernel/clock.js';
import { loadConfig, type Config } from '../../shared/kernel/config.js';
import { createContext, type Principal } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import type { Logger } from '../../shared/kernel/log.js';
import { announceAll, type Consumer, type DomainEvent } from '../../shared/events/outbox/outbox.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { newId } from '../../shared/kernel/ids.js';
import type { Claim } from '../../subgraphs/webhooks/engine/claim.store.js';
import type { Engine } from '../../subgraphs/webhooks/engine/engine.js';
import { createWebhooks } from '../../subgraphs/webhooks/subgraph.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { runOn } from '../kit/run-on.js';
import { until } from '../kit/until.js';
import { openReceiver, type Receiver } from './receiver.js';

export interface Made {
  readonly id: string;
  readonly secret: string;
}

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: string;
  readonly requestBody: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly {
    readonly number: number;
    readonly startedAt: string;
    readonly durationMs: number | null;
    readonly responseStatus: number | null;
    readonly responseBody: string | null;
    readonly error: string | null;
  }[];
}

export const deliveryFields = `id eventId type status requestBody nextAttemptAt
  attempts { number startedAt durationMs responseStatus responseBody error }`;

/** An event that everyone who asked for it is told of. */
export const paid = (installmentNumber: number, ownerId: string | null = null): DomainEvent => ({
  topic: 'payment.completed',
  key: 'CRI-1',
  payload: {
    ownerId,
    data: {
      trancheTicker: 'CRI-1',
      installmentNumber,
      dueDate: '2026-11-20',
      interestValue: '10.00',
      principalValue: '90.00',
      totalValue: '100.00',
      status: 'PAID',
    },
  },
});

/** A claim of fifty deliveries that are due, unless a test says otherwise. */
export const claimOf = (over: Partial<Claim> = {}): Claim => ({
  lane: 'first',
  lease: newId(),
  until: new Date(Date.now() + 30_000),
  limit: 50,
  perSubscription: 25,
  perOwner: 100,
  underWay: new Map(),
  held: [],
  after: '00000000-0000-0000-0000-000000000000',
  ...over,
});

export interface KitOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly consumers?: readonly Consumer[];
  readonly poolSize?: number;
  readonly log?: Logger;
  /** Closed with the kit; one of its own when not given. */
  readonly database?: TestDatabase;
}

export function webhookSettings(environment: Readonly<Record<string, string>> = {}): Pick<Config, 'webhooks'> {
  return loadConfig({ NODE_ENV: 'test', WEBHOOK_ALLOW_INSECURE: 'true', ...environment });
}

/** The domain of webhooks on a database of its own, with receivers on loopback allowed. */
export async function openWebhooks(options: KitOptions = {}) {
  const { clock = systemClock, consumers = [], poolSize = 10, log = quietLog } = options;
  const database = options.database ?? (await openTestDatabase({ poolSize }));
  const webhooks = createWebhooks({ config: webhookSettings(options.environment), keyRing: testKeyRing });
  const bus = createLocalBus();
  const context = createContext({ clock, log, manager: database.dataSource.manager, bus });
  const engines: Engine[] = [];
  const receivers: Receiver[] = [];
  const relay = createRelay(context, { consumers: [...(webhooks.consumers ?? []), ...consumers] });

  const developer = (ownerId: string, scopes: readonly string[] = ['webhooks:read', 'webhooks:write']): Principal => ({
    kind: 'DEVELOPER_KEY',
    id: `key of ${ownerId}`,
    ownerId,
    scopes,
  });
  const ask = runOn(webhooks.schema, context);
  /** Runs one operation, as a developer of the account `owner` unless told otherwise. */
  const run = (text: string, variables: Record<string, unknown> = {}, principal = developer('owner')) =>
    ask(text, variables, { principal });
  const subscribe = async (url: string, over: Record<string, unknown> = {}, principal?: Principal) => {
    const { data, error: apiError } = await run(
      `mutation ($url: String!, $events: [String!]!, $description: String) {
        createWebhook(url: $url, events: $events, description: $description) { id secret } }`,
      { url, events: ['payment.completed'], ...over },
      principal,
    );
    if (apiError !== undefined) throw new Error(JSON.stringify(apiError));
    return data?.['createWebhook'] as Made;
  };
  const deliveries = async (id: string, principal?: Principal): Promise<readonly Delivery[]> => {
    const text = `query ($id: ID!) { webhookDeliveries(id: $id, limit: 100) { items { ${deliveryFields} } } }`;
    const { data, error: apiError } = await run(text, { id }, principal);
    if (apiError !== undefined) throw new Error(JSON.stringify(apiError));
    return (data?.['webhookDeliveries'] as { items: Delivery[] }).items;
  };

  return {
    database,
    context,
    developer,
    run,
    subscribe,
    /** Commits events, and lets the relay hand them on. */
    announce: async (...events: readonly DomainEvent[]) => {
      await inTransaction(context, (tx) => announceAll(tx, events));
      await relay.drain();
    },
    deliveries,
    untilDeliveries: (id: string, right: (deliveries: readonly Delivery[]) => boolean, principal?: Principal) =>
      until('the deliveries', async () => {
        const found = await deliveries(id, principal);
        if (right(found)) return found;
        throw new Error(JSON.stringify(found.map(({ status, attempts }) => `${status}, ${attempts.length} attempts`)));
      }),
    statusOf: async (id: string, principal?: Principal) => {
      const { data } = await run('query ($id: ID!) { webhook(id: $id) { status } }', { id }, principal);
      return (data?.['webhook'] as { status: string }).status;
    },
    openReceiver: async (...args: Parameters<typeof openReceiver>) => {
      const receiver = await openReceiver(...args);
      receivers.push(receiver);
      return receiver;
    },
    openEngine: async () => {
      const engine = webhooks.openEngine(context);
      engines.push(engine);
      await engine.start();
      return engine;
    },
    close: async () => {
      for (const engine of engines) await engine.stop();
      for (const receiver of receivers) await receiver.close();
      await database.close();
    },
  };
}
