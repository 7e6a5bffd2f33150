// A transaction that waits for a second connection of its own pool may wait for ever: as many of them as the pool has connections hold all of
// these. Tests rarely have that many at once, so here the second connection is refused, by an error that says so.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Manager } from '../../shared/database/manager.js';

interface Transaction {
  readonly pool: unknown;
  isOpen: boolean;
}

type Work = (manager: Manager) => Promise<unknown>;
type Method<T> = (this: T, ...parameters: unknown[]) => unknown;

const transactions = new AsyncLocalStorage<Transaction>();
/** Holds its lock by a transaction of its own, in a process that does nothing else. */
const migrating = '/shared/database/migrate.ts:';

around<Manager>(Manager.prototype, 'inTransaction', function (inTransaction, work) {
  const transaction: Transaction = { pool: poolOf(this), isOpen: true };
  const observed: Work = (manager) =>
    transactions.run(transaction, async () => {
      try {
        return await (work as Work)(manager);
      } finally {
        transaction.isOpen = false;
      }
    });
  return Reflect.apply(inTransaction, this, [observed]);
});

around<pg.Pool>(pg.Pool.prototype, 'connect', function (connect, ...parameters) {
  const transaction = transactions.getStore();
  if (transaction?.isOpen === true && transaction.pool === this) refuse();
  return Reflect.apply(connect, this, parameters);
});

function around<T extends object>(
  prototype: T,
  name: keyof T & string,
  act: (this: T, original: Method<T>, ...parameters: unknown[]) => unknown,
): void {
  const original = Reflect.get(prototype, name) as Method<T>;
  const replacement: Method<T> = function (...parameters) {
    return Reflect.apply(act, this, [original, ...parameters]);
  };
  Reflect.set(prototype, name, replacement);
}

function poolOf({ dataSource: { driver } }: Manager): unknown {
  return 'master' in driver ? driver.master : undefined;
}

function refuse(): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const error = new Error(
    'A transaction is open, and a second connection of its pool is asked for: pass the context of the transaction, or read before it begins',
  );
  Error.stackTraceLimit = stackTraceLimit;
  if (error.stack?.includes(migrating) !== true) throw error;
}

/** Runs `work` as somebody else would, while a transaction of the test is open. */
export const asAnother = <T>(work: () => T): T => transactions.exit(work);
