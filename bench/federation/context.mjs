import { createLocalBus } from '../../dist/shared/events/bus.js';
import { systemClock } from '../../dist/shared/kernel/clock.js';
import { anonymous, createContext } from '../../dist/shared/kernel/context.js';
import { createKeyRing } from '../../dist/shared/security/crypto.js';
import { Database } from '../../dist/shared/database/database.js';
import { createLog } from '../../dist/shared/kernel/log.js';

export const keyRing = createKeyRing(Buffer.alloc(32, 7));

/** The parts of a context, with a database that nothing connects to. */
export const parts = {
  clock: systemClock,
  log: createLog('warn'),
  manager: new Database({ type: 'postgres' }).manager,
  bus: createLocalBus(),
};

export function benchContext() {
  return createContext({ ...parts, principal: anonymous('127.0.0.1') });
}
