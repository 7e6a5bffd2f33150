// The whole program, as dist/main.js runs it, but with an exchange that outlives it (VENUE_URL) and a clock that is CLOCK_AHEAD_MS
// ahead: for tests that kill it again and again, and do not wait between. Of dist/, since that starts in half the time.
import type * as openAppModule from '../../bootstrap/platform.js';
import type * as backgroundModule from '../../bootstrap/background.js';
import type * as browserSessionsModule from '../../bootstrap/platform.js';
import type * as callersModule from '../../bootstrap/platform.js';
import type * as supergraphModule from '../../bootstrap/supergraph.js';
import type * as transportsModule from '../../bootstrap/transports.js';
import type * as infrastructureModule from '../../bootstrap/infrastructure.js';
import type * as subgraphsModule from '../../bootstrap/subgraphs.js';
import type * as sourceModule from '../../gateway/graph/data-source.js';
import type * as configModule from '../../shared/kernel/config.js';
import type * as decimalModule from '../../shared/kernel/decimal.js';
import type * as logModule from '../../shared/kernel/log.js';
import type * as listenersModule from '../../subgraphs/trading/venues/listeners.js';
import type * as worldModule from '../../subgraphs/trading/venues/simulated/world.js';
import type * as venueModule from '../../subgraphs/trading/venues/venue.js';
import { createDistantVenue } from './distant-venue.js';

const built = (path: string): Promise<unknown> => import(new URL(`../../dist/${path}`, import.meta.url).href);

const { loadConfig } = (await built('shared/kernel/config.js')) as typeof configModule;
const { createLog } = (await built('shared/kernel/log.js')) as typeof logModule;
const { Decimal } = (await built('shared/kernel/decimal.js')) as typeof decimalModule;
const { openInfrastructure } = (await built('bootstrap/infrastructure.js')) as typeof infrastructureModule;
const { openDomains } = (await built('bootstrap/subgraphs.js')) as typeof subgraphsModule;
const { openBrowserSessions } = (await built('bootstrap/platform.js')) as typeof browserSessionsModule;
const { callersOf } = (await built('bootstrap/platform.js')) as typeof callersModule;
const { openApp } = (await built('bootstrap/platform.js')) as typeof openAppModule;
const { openTransports } = (await built('bootstrap/transports.js')) as typeof transportsModule;
const { readSupergraph } = (await built('bootstrap/supergraph.js')) as typeof supergraphModule;
const { startBackground } = (await built('bootstrap/background.js')) as typeof backgroundModule;
const { localDataSource } = (await built('gateway/graph/data-source.js')) as typeof sourceModule;
const venues = 'subgraphs/trading/venues';
const { createListeners } = (await built(`${venues}/listeners.js`)) as typeof listenersModule;
const { VenueUnknown } = (await built(`${venues}/venue.js`)) as typeof venueModule;
const { simulatedMarkets } = (await built(`${venues}/simulated/world.js`)) as typeof worldModule;

const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const clock = { now: () => new Date(Date.now() + aheadMs) };
const config = loadConfig();
const infrastructure = await openInfrastructure(config, createLog(config.logLevel), { clock });
const venue = createDistantVenue({
  url: process.env['VENUE_URL'] ?? '',
  name: 'boreal',
  clock,
  markets: simulatedMarkets,
  fees: { maker: new Decimal('0.0004'), taker: new Decimal('0.0007') },
  Decimal,
  VenueUnknown,
  createListeners,
});
const domains = await openDomains(infrastructure, { exchanges: [venue], transfers: { simulatesReal: true } });
await domains.trading.open(infrastructure.context);
const callers = callersOf(
  domains.accounts.authenticator,
  domains.creditAssignment.signingOriginators,
  domains.trading.traders,
);
const app = openApp(infrastructure, callers);
const sources = Object.fromEntries(
  domains.all.map(({ name, schema }) => [name, localDataSource(schema, infrastructure.keyRing)]),
);
await openTransports(app, infrastructure, {
  supergraphSdl: await readSupergraph(),
  sources,
  callers,
  browserSessions: openBrowserSessions(infrastructure, domains.accounts),
});
await startBackground(infrastructure, domains);
process.stdout.write(`${await app.listen({ host: config.host, port: config.port })}/readyz\n`);
