// The whole program, as dist/main.js runs it, but with an exchange that outlives it (VENUE_URL) and a clock that is CLOCK_AHEAD_MS
// ahead: for tests that kill it again and again, and do not wait between. Of dist/, since that starts in half the time.
import type * as openAppModule from '../../house/app.js';
import type * as backgroundModule from '../../house/background.js';
import type * as callersModule from '../../house/callers.js';
import type * as doorsModule from '../../house/doors.js';
import type * as floorModule from '../../house/floor.js';
import type * as subgraphsModule from '../../house/subgraphs.js';
import type * as sourceModule from '../../gateway/source.js';
import type * as configModule from '../../shared/config.js';
import type * as decimalModule from '../../shared/decimal.js';
import type * as logModule from '../../shared/log.js';
import type * as listenersModule from '../../subgraphs/trading/venues/listeners.js';
import type * as worldModule from '../../subgraphs/trading/venues/simulated/world.js';
import type * as venueModule from '../../subgraphs/trading/venues/venue.js';
import { createDistantVenue } from './distant-venue.js';

const built = (path: string): Promise<unknown> => import(new URL(`../../dist/${path}`, import.meta.url).href);

const { loadConfig } = (await built('shared/config.js')) as typeof configModule;
const { createLog } = (await built('shared/log.js')) as typeof logModule;
const { Decimal } = (await built('shared/decimal.js')) as typeof decimalModule;
const { openFloor } = (await built('house/floor.js')) as typeof floorModule;
const { entities, openDomains } = (await built('house/subgraphs.js')) as typeof subgraphsModule;
const { callersOf } = (await built('house/callers.js')) as typeof callersModule;
const { openApp } = (await built('house/app.js')) as typeof openAppModule;
const { openDoors, readSupergraph } = (await built('house/doors.js')) as typeof doorsModule;
const { startBackground } = (await built('house/background.js')) as typeof backgroundModule;
const { localSource } = (await built('gateway/source.js')) as typeof sourceModule;
const venues = 'subgraphs/trading/venues';
const { createListeners } = (await built(`${venues}/listeners.js`)) as typeof listenersModule;
const { VenueUnknown } = (await built(`${venues}/venue.js`)) as typeof venueModule;
const { simulatedMarkets } = (await built(`${venues}/simulated/world.js`)) as typeof worldModule;

const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const clock = { now: () => new Date(Date.now() + aheadMs) };
const config = loadConfig();
const floor = await openFloor(config, createLog(config.logLevel), { entities, clock });
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
const domains = await openDomains(floor, { exchanges: [venue], transfers: { simulatesReal: true } });
await domains.trading.open(floor.context);
const callers = callersOf(domains.accounts.authenticator, domains.creditAssignment.clients, domains.trading.traders);
const app = openApp(floor, callers);
const sources = Object.fromEntries(domains.all.map(({ name, schema }) => [name, localSource(schema, floor.keyRing)]));
await openDoors(app, floor, { supergraphSdl: await readSupergraph(), sources, callers });
await startBackground(floor, domains);
process.stdout.write(`${await app.listen({ host: config.host, port: config.port })}/readyz\n`);
