import { Counter, Histogram, type Registry } from 'prom-client';
import type { Config } from '../../shared/config.js';
import type { Context } from '../../shared/context.js';
import type { KeyRing } from '../../shared/crypto.js';
import { createCursorCodec } from '../../shared/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { DeliveryResolver } from './deliveries/delivery.resolver.js';
import { forgetDeliveries } from './deliveries/forget-deliveries.js';
import { createEngine, type Engine } from './engine/engine.js';
import { nameServers } from './engine/resolve.js';
import { createSender } from './engine/send.js';
import { consumeEvents } from './events/consume-events.js';
import { EventResolver } from './events/event.resolver.js';
import { endWithAccounts } from './subscriptions/end-with-accounts.js';
import { SubscriptionResolver } from './subscriptions/subscription.resolver.js';

export interface WebhooksParts {
  readonly config: Pick<Config, 'webhooks'>;
  readonly keyRing: KeyRing;
}

export interface Webhooks extends Subgraph {
  /** Creates the engine that sends deliveries, for processes that run background work. */
  openEngine(context: Context, registry: Registry): Engine;
}

/** Wires the webhooks domain. Sends nothing before an engine is opened and started. */
export function createWebhooks({ config, keyRing }: WebhooksParts): Webhooks {
  const { allowInsecure } = config.webhooks;
  const built = buildSubgraph({
    name: 'webhooks',
    resolvers: [
      new SubscriptionResolver({ keyRing, allowInsecure }),
      new DeliveryResolver(createCursorCodec(keyRing, 'webhook-deliveries')),
      new EventResolver(),
    ],
  });
  return {
    ...built,
    jobs: [{ name: 'webhooks.retention', cron: '29 * * * *', run: forgetDeliveries }],
    consumers: [consumeEvents, endWithAccounts],
    entities: [],
    migrations: { schema: 'webhooks', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    openEngine: (context, registry) => openEngine(context, registry, config.webhooks, keyRing),
  };
}

function openEngine(context: Context, registry: Registry, settings: Config['webhooks'], keyRing: KeyRing): Engine {
  const { allowInsecure, retryDelaysMs, concurrency: total, concurrencyPerSubscription: perSubscription } = settings;
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of delivery attempts, by HTTP status of the response, or `none`.',
    labelNames: ['status'],
    buckets: [0.01, 0.05, 0.25, 1, 2.5, 5],
    registers: [registry],
  });
  const unsigned = new Counter({
    name: 'webhook_unsigned_total',
    help: 'Pending deliveries that could not be signed, because the secret of the webhook was encrypted with another master key.',
    registers: [registry],
  });
  const { clock } = context;
  const sender = createSender({ allowInsecure, clock, resolve: nameServers() });
  return createEngine(context, {
    keyRing,
    sender,
    slots: { total, perSubscription },
    retryDelaysMs,
    chance: Math.random,
    onAttempt: ({ status, durationMs }) => {
      duration.observe({ status: status === undefined ? 'none' : String(status) }, durationMs / 1000);
    },
    onUnsigned: () => {
      unsigned.inc();
    },
  });
}
