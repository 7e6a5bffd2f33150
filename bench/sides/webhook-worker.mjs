// The background work of webhooks as `ROLE=worker` runs it: relay and engine, over a separate database. On SIGTERM it finishes and prints how many
// statements it sent to PostgreSQL.
import pg from 'pg';

let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...call) {
  statements += 1;
  return query.apply(this, call);
};

const dist = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
await dist('bootstrap/registry.js');
const { createLocalBus } = await dist('shared/events/bus.js');
const { systemClock } = await dist('shared/kernel/clock.js');
const { loadConfig } = await dist('shared/kernel/config.js');
const { createContext } = await dist('shared/kernel/context.js');
const { createKeyRing } = await dist('shared/security/crypto.js');
const { openDatabase } = await dist('shared/database/database.js');
const { createLog } = await dist('shared/kernel/log.js');
const { createRelay } = await dist('shared/events/outbox/relay.js');
const { createWebhooks } = await dist('subgraphs/webhooks/subgraph.js');
const { Registry } = await import('prom-client');

const config = loadConfig();
const source = await openDatabase({
  url: config.database.url,
  poolSize: config.database.poolSize,
  applicationName: 'bench worker',
});
const log = createLog('error', { write: (line) => process.stderr.write(line) });
const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });
const webhooks = createWebhooks({ config, keyRing: createKeyRing(config.masterKey) });
const engine = webhooks.openEngine(context, new Registry());
const relay = createRelay(context, { consumers: webhooks.consumers });
await engine.start();
relay.start();
statements = 0;
process.once('SIGTERM', async () => {
  await relay.stop();
  await engine.stop();
  process.stdout.write(`statements=${statements}\n`);
  await source.destroy();
  process.exit(0);
});
process.stdout.write('ready\n');
