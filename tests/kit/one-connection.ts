// A transaction that waits for a second connection of its own pool may wait for ever: as many of them as the pool has connections hold all of
// these. Tests rarely have that many at once, so here the second connection is refused, by an error that says so; a transaction that a test holds
// itself may see others at work.
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
  if (isOfTest()) return Reflect.apply(inTransaction, this, [work]);
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

/** Whether a test, or the kit, begins the transaction. */
function isOfTest(): boolean {
  const frames = traced('', 8).stack?.split('\n').slice(1) ?? [];
  const caller = frames.find(
    (frame) => !/kit\/one-connection\.ts|database\/transaction\.ts|^ *at Reflect\./.test(frame),
  );
  return caller !== undefined && /\.test\.ts|\/tests\//.test(caller);
}

function refuse(): void {
  const error = traced(
    'A transaction is open, and a second connection of its pool is asked for: pass the context of the transaction, or read before it begins',
    50,
  );
  if (error.stack?.includes(migrating) !== true) throw error;
}

function traced(message: string, frames: number): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = frames;
  const error = new Error(message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
