// The background work of webhooks as a process of its own: the relay and the engine on the database that the command line
// names, until it is killed. Says `ready` in one line.
import '../../bootstrap/registry.js';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { createContext } from '../../shared/kernel/context.js';
import { createKeyRing } from '../../shared/security/crypto.js';
import { openDatabase } from '../../shared/database/database.js';
import { createLog } from '../../shared/kernel/log.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { createWebhooks } from '../../subgraphs/webhooks/subgraph.js';

const [url = '', master = ''] = process.argv.slice(2);
const source = await openDatabase({ url, poolSize: 4, applicationName: 'worker' });
const log = createLog('warn', { write: (line) => process.stderr.write(line) });
const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });
const webhooks = createWebhooks({
  config: loadConfig({ NODE_ENV: 'test', WEBHOOK_ALLOW_INSECURE: 'true' }),
  keyRing: createKeyRing(Buffer.from(master, 'base64')),
});
await webhooks.openEngine(context).start();
createRelay(context, { consumers: webhooks.consumers ?? [], pollMs: 50 }).start();
process.stdout.write('ready\n');
