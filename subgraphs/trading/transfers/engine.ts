import { coalesced } from '../../../shared/coalesced.js';
import type { Context } from '../../../shared/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { createWorkQueue, joinQueues, type WorkQueue } from '../../../shared/work-queue/work-queue.js';
import { worldsOf, type Custodies } from './custody/custody.js';
import { readDeposits } from './deposits/read-deposits.js';
import { retrySetAside } from './deposits/set-aside.js';
import { setAsideDeposits, type SetAside } from './deposits/set-aside.store.js';
import { transfersDueTopic } from './wake.js';
import { sendTimes, sendWithdrawal, type SendTimes } from './withdrawals/send-withdrawal.js';
import { dueWithdrawals, type ClaimedWithdrawal } from './withdrawals/withdrawal.store.js';

/** Processes withdrawals and deposits. Any number of engines may share the work. */
export type TransferEngine = WorkQueue;

export interface TransferEngineParts {
  readonly custodies: Custodies;
  readonly times?: SendTimes;
}

/** Withdrawals that a process works on at the same time. */
const lanes = 8;
/** How often custody is asked for deposits. */
const depositsMs = 2_000;
/** How long a deposit that was set aside may be under way. */
const setAsideLeaseMs = 60_000;

export function createTransferEngine(
  context: Context,
  { custodies, times = sendTimes }: TransferEngineParts,
): TransferEngine {
  const worlds = worldsOf(custodies);
  const withdrawals = createWorkQueue<ClaimedWithdrawal>(context, {
    table: dueWithdrawals(worlds),
    work: (own, withdrawal, { lease }) => sendWithdrawal(own, custodies, { withdrawal, lease, times }),
    failure: 'A withdrawal could not be processed; this will be retried',
    leaseMs: times.leaseMs,
    lanes,
    topic: transfersDueTopic,
  });
  const setAside = createWorkQueue<SetAside>(context, {
    table: setAsideDeposits(worlds),
    work: (own, deposit, hold) => retrySetAside(own, custodies, deposit, hold),
    failure: 'A deposit that was set aside could not be processed; this will be retried',
    leaseMs: setAsideLeaseMs,
    // A custody of one world that does not respond must not hold up the deposits of the other.
    lanes: 2,
    topic: transfersDueTopic,
  });
  return joinQueues([withdrawals, setAside, createDepositReader(context, custodies)]);
}

/** Creates the reader of deposits, which asks custody for changes on every wake-up and every few seconds: there are no items to claim. */
function createDepositReader(context: Context, custodies: Custodies): WorkQueue {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  const read = coalesced(async () => {
    for (const synthetic of [false, true]) {
      const custody = synthetic ? custodies.synthetic : custodies.real;
      if (stopping || custody === undefined) continue;
      try {
        await readDeposits({ ...context, loaders: new Map() }, custody, synthetic);
      } catch (error) {
        logFailed(context.log, error, 'Deposits could not be read');
      }
    }
  });
  return {
    start: async () => {
      stopListening = await context.bus.listen(transfersDueTopic, () => void read());
      timer = setInterval(() => void read(), depositsMs);
      void read();
    },
    drain: read,
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await stopListening?.();
      await read();
    },
  };
}
