import { createLocalBus } from '../../shared/events/bus.js';
import { fixedClock } from './clock.js';
import { createContext, type Context, type ContextParts, type Principal } from '../../shared/kernel/context.js';
import { createKeyRing } from '../../shared/security/crypto.js';
import { createLog } from '../../shared/kernel/log.js';
import { roles } from '../../shared/graphql/roles.js';

export const testMasterKey = Buffer.alloc(32, 7);

/** A key ring for tests: the same in every file, so that sealed values can be compared across processes. */
export const testKeyRing = createKeyRing(testMasterKey);

export const quietLog = createLog('silent');

/** An operator who may do everything that operators may. */
export const operator: Principal = {
  kind: 'OPERATOR',
  id: '0190b1a0-0000-7000-8000-00000000000a',
  ownerId: '0190b1a0-0000-7000-8000-00000000000b',
  name: 'olga@casa.example',
  scopes: roles,
};

/** A context of that operator at a fixed moment; override what a test is about. */
export function testContext(parts: Pick<ContextParts, 'manager'> & Partial<Context>): Context {
  return createContext({
    clock: fixedClock('2026-11-20T15:00:00Z'),
    log: quietLog,
    bus: createLocalBus(),
    principal: operator,
    ...parts,
  });
}
