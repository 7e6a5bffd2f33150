import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { createHostGuard } from '../gateway/edge/host-guard.js';
import type { Callers } from '../gateway/edge/rules.js';
import { createGraph } from '../gateway/graph.js';
import { graphqlDoor } from '../gateway/server/door.js';
import { guardedBucket } from '../gateway/server/purse.js';
import { createSeats } from '../gateway/server/seats.js';
import { createSendBudget } from '../gateway/server/send-budget.js';
import { channelTransport, type ChannelTransportOptions } from '../gateway/socket/transport.js';
import type { Sources } from '../gateway/source.js';
import { mcpDoor } from '../mcp/door.js';
import { restDoor } from '../rest/door.js';
import { routes } from '../rest/routes.js';
import { readMailbox } from '../shared/mail/mail.js';
import { eventTypes } from '../subgraphs/webhooks/events/event.js';
import { mailboxDoor } from '../web/mailbox.js';
import { webPages } from '../web/pages.js';
import type { Floor } from './floor.js';

/** The committed supergraph, which the tests hold against the code. */
export function readSupergraph(): Promise<string> {
  return readFile(new URL('../supergraph.graphql', import.meta.url), 'utf8');
}

export interface DoorsOptions {
  readonly supergraphSdl: string;
  readonly sources: Sources;
  readonly callers: Callers;
  /** For tests: see `ChannelTransportOptions`. */
  readonly sockets?: Pick<ChannelTransportOptions, 'heartbeatMs' | 'bounds'> | undefined;
}

/** What is limited by source address, over whichever interface (docs/contract/common.md §6.1); and whatever else looks at a password. */
const guardedFields = new Set([
  ...routes.filter(({ bucket }) => bucket === guardedBucket).map(({ operation }) => operation),
  'changePassword',
  'deleteMyAccount',
]);

/** Plans every operation that is known now, and opens the doors over the one graph. */
export async function openDoors(app: FastifyInstance, floor: Floor, options: DoorsOptions): Promise<void> {
  const { config, context, keyRing } = floor;
  const { callers, sockets, ...parts } = options;
  const graph = createGraph(parts);
  await restDoor(app, { graph, events: eventTypes });
  mcpDoor(app, { graph, config });
  const [seats, budget] = [createSeats(config.sockets), createSendBudget()];
  await graphqlDoor(app, { graph, config, callers, guardedFields, seats, budget });
  channelTransport(app, { graph, callers, seats, budget, ...sockets });
  webPages(app);
  if (!config.production) {
    mailboxDoor(app, { guardHost: createHostGuard(config), readMailbox: (to) => readMailbox(context, keyRing, to) });
  }
}
