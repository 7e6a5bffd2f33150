import type { Config } from '../../shared/kernel/config.js';
import type { Context } from '../../shared/kernel/context.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { createCursorCodec } from '../../shared/graphql/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';
import { workQueueResolvers } from '../../shared/work/queue/work-queue.resolver.js';
import { DeliveryResolver, WebhookDeliveriesResolver, RedeliveryResolver } from './deliveries/delivery.resolver.js';
import { watchedDeliveries } from './deliveries/delivery.store.js';
import { forgetDeliveries, addUpAllTallies } from './deliveries/delivery.jobs.js';
import { createEngine, type Engine, attemptSeconds, unsignedDeliveries } from './engine/engine.js';
import { nameServers } from './engine/address.js';
import { createSender } from './engine/send.js';
import { consumeEvents } from './events/consume-events.js';
import { EventResolver, webhookEventReference } from './events/event.resolver.js';
import { HealthResolver, ManagedWebhookResolver, ReceiversResolver } from './health/health.resolver.js';
import { endWithAccounts } from './subscriptions/subscriptions.acts.js';
import { SubscriptionResolver } from './subscriptions/subscription.resolver.js';

export interface WebhooksParts {
  readonly config: Pick<Config, 'webhooks'>;
  readonly keyRing: KeyRing;
}

export interface Webhooks extends Subgraph {
  /** Creates the engine that sends deliveries, for processes that run background work. */
  openEngine(context: Context): Engine;
}

/** Wires the webhooks domain. Sends nothing before an engine is opened and started. */
export function createWebhooks({ config, keyRing }: WebhooksParts): Webhooks {
  const { allowInsecure } = config.webhooks;
  const cursors = createCursorCodec(keyRing, 'webhook-deliveries');
  const built = buildSubgraph({
    name: 'webhooks',
    resolvers: [
      new SubscriptionResolver({ keyRing, allowInsecure }),
      new WebhookDeliveriesResolver(cursors),
      new DeliveryResolver(cursors),
      new RedeliveryResolver(),
      new HealthResolver(),
      new ManagedWebhookResolver(createCursorCodec(keyRing, 'managed-webhooks')),
      ...workQueueResolvers({ domain: 'Webhook', words: 'webhooks', role: 'administer', queues: [watchedDeliveries] }),
      new EventResolver(),
      new ReceiversResolver(),
    ],
    references: { WebhookEvent: webhookEventReference },
  });
  return {
    ...built,
    jobs: [
      { name: 'webhooks.retention', cron: '29 * * * *', run: forgetDeliveries },
      { name: 'webhooks.tallies', cron: '*/5 * * * *', run: addUpAllTallies },
    ],
    metrics: [attemptSeconds, unsignedDeliveries],
    consumers: [consumeEvents, endWithAccounts],
    migrations: { schema: 'webhooks', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    openEngine: (context) => openEngine(context, config.webhooks, keyRing),
  };
}

function openEngine(context: Context, settings: Config['webhooks'], keyRing: KeyRing): Engine {
  const { allowInsecure, retryDelaysMs, concurrency: total, concurrencyPerSubscription: perSubscription } = settings;
  const { clock } = context;
  const sender = createSender({ allowInsecure, clock, resolve: nameServers() });
  return createEngine(context, {
    keyRing,
    sender,
    slots: { total, perSubscription },
    retryDelaysMs,
    chance: Math.random,
  });
}
