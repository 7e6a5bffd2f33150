import type { FastifyInstance } from 'fastify';
import { createHostGuard } from '../gateway/http/host-guard.js';
import type { Callers } from '../gateway/http/route-policy.js';
import { createGraph } from '../gateway/graph/graph.js';
import { trustFiles } from '../gateway/graph/known-documents.js';
import { recordFetches } from '../gateway/graph/recorded-run.js';
import { graphqlPlugin } from '../gateway/graphql/plugin.js';
import { throttledBucket } from '../gateway/graph/limits/cost-budget.js';
import { createConnectionLimiter, createSendBudget } from '../gateway/graphql/socket-limits.js';
import { createSubscriptionLimiter } from '../gateway/live/subscription-limiter.js';
import { channelTransport, type ChannelTransportOptions } from '../gateway/live/socket/transport.js';
import type { SubgraphDataSources } from '../gateway/graph/data-source.js';
import { mcpPlugin } from '../mcp/plugin.js';
import { restPlugin } from '../rest/plugin.js';
import { routes } from '../rest/routes.js';
import { formNameOf } from '../shared/graphql/forms.js';
import { readMailbox } from '../shared/work/mail/mail.js';
import { eventTypes } from '../subgraphs/webhooks/events/event.js';
import { mailPages, mailboxPlugin } from '../apps/site/mail/mail-pages.js';
import { chartScript, fonts, serveAssets, styleSheet } from '../apps/design/assets.js';
import { serveTheme } from '../apps/design/theme.js';
import { linkPages } from '../apps/site/mail/link-pages.js';
import { panelPages } from '../apps/site/panel-pages.js';
import { checkedPanelDocuments } from '../apps/site/panel-documents.js';
import { statusPages, type Health } from '../apps/site/status.js';
import { siteOf } from '../apps/site/error-page.js';
import { publicPages } from '../apps/site/plugin.js';
import { referenceAssets, referencePages } from '../apps/site/reference/pages.js';
import type { BrowserSessions } from '../shared/security/browser-session.js';
import { sessionPlugin } from '../apps/session.js';
import type { Infrastructure } from './infrastructure.js';
import { shared } from '../shared/memo.js';

export interface TransportsOptions {
  readonly supergraphSdl: string;
  readonly sources: SubgraphDataSources;
  readonly callers: Callers;
  readonly browserSessions: BrowserSessions;
  readonly sockets?: Pick<ChannelTransportOptions, 'heartbeatMs' | 'bounds'> | undefined;
}

/** Root fields that are limited by source address on every interface (docs/contract/common.md §6.1), any other field that checks a password, and tests of webhooks. */
const guardedFields = new Set([
  ...routes
    .filter(({ bucket }) => bucket === throttledBucket)
    .flatMap(({ operation }) => [operation, formNameOf(operation)]),
  'changePassword',
  'deleteMyAccount',
  // Each has an address of the caller's choice called, with several attempts.
  'testWebhook',
]);

export async function openTransports(
  app: FastifyInstance,
  infrastructure: Infrastructure,
  options: TransportsOptions,
): Promise<void> {
  const { config, context, keyRing, tracer } = infrastructure;
  const { publicUrl } = config;
  const { callers, sockets, browserSessions, ...parts } = options;
  const { supergraphSdl, sources } = parts;
  const graph = await createGraph({
    supergraphSdl,
    sources: tracer === undefined ? sources : recordFetches(sources),
    accelerated: config.accelerated,
  });
  trustFiles(graph.apiSchema);
  const openApiText = restPlugin(app, {
    graph,
    publicUrl,
    events: eventTypes,
    sandbox: config.sandbox,
  });
  mcpPlugin(app, { graph, config });
  const documents = checkedPanelDocuments(graph);
  const limits = {
    connectionLimiter: createConnectionLimiter(config.sockets),
    subscriptionLimiter: createSubscriptionLimiter(config.subscriptions),
    budget: createSendBudget(),
  };
  await graphqlPlugin(app, { graph, config, callers, guardedFields, documents, ...limits });
  channelTransport(app, { graph, callers, ...limits, ...sockets });
  const site = siteOf(config);
  serveAssets(app, [styleSheet, chartScript, ...fonts, site.house.mark, ...referenceAssets]);
  serveTheme(app, config.house.colour);
  mailPages(app, site);
  linkPages(app, { graph, site });
  panelPages(app, site);
  const more = [
    ...referencePages({ openApiText, publicUrl, publishesSchema: config.graphql.sdl, hasEditor: !config.production }),
    ...statusPages(createHealth(infrastructure)),
  ];
  publicPages(app, { graph, site, more });
  sessionPlugin(app, { browserSessions });
  if (!config.production) {
    mailboxPlugin(app, { guardHost: createHostGuard(config), readMailbox: (to) => readMailbox(context, keyRing, to) });
  }
}

/** An event that waits for longer to be passed on is late, as in the alert LastroEventsLate. */
const lateSeconds = 60;

/** How long a result is used: two of the numbers are read from the database. */
const keptMs = 5_000;

/** Returns the function that reads the state of the service from the metrics of the alerts. A number that cannot be read means that the database is away. */
function createHealth({ registry }: Pick<Infrastructure, 'registry'>): () => Promise<Health> {
  const read = shared<Health>({ keptMs });
  const valueOf = async (name: string): Promise<number | undefined> =>
    (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return () =>
    read('', async () => {
      const [writable, redis, lag] = await Promise.all(
        ['database_writable', 'redis_connected', 'outbox_lag_seconds'].map(valueOf),
      );
      return {
        writes: writable === 1,
        shares: redis !== 0,
        lateMinutes: lag && (lag > lateSeconds ? Math.ceil(lag / 60) : 0),
      };
    });
}
