// The background work of credit assignment as a process of its own: the relay and the engine on the database that the command
// line names, until it is killed. Says `ready` in one line.
import '../../bootstrap/registry.js';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { createContext } from '../../shared/kernel/context.js';
import { openDatabase } from '../../shared/database/database.js';
import { createLog } from '../../shared/kernel/log.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { batchKinds } from '../../subgraphs/credit-assignment/processing/batch-kinds.js';
import { createProcessingEngine } from '../../subgraphs/credit-assignment/processing/engine.js';
import { consumers } from './processing/kit.js';

const [url = ''] = process.argv.slice(2);
const source = await openDatabase({ url, poolSize: 6, applicationName: 'worker' });
const log = createLog('warn', { write: (line) => process.stderr.write(line) });
const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });
await createProcessingEngine(context, batchKinds).start();
createRelay(context, { consumers, pollMs: 50 }).start();
process.stdout.write('ready\n');
