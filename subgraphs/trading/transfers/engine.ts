import { schedule, type ScheduledTask } from 'node-cron';
import { coalesced } from '../../../shared/coalesced.js';
import type { Context } from '../../../shared/context.js';
import { tellFailed } from '../../../shared/database/tell-unavailable.js';
import { cronWords } from '../../../shared/scheduler.js';
import { worldsOf, type Custodies } from './custody/custody.js';
import { readDeposits } from './deposits/read-deposits.js';
import { transfersDueTopic } from './wake.js';
import { sendTimes, sendWithdrawals, type SendTimes } from './withdrawals/send-withdrawals.js';
import { nextDue } from './withdrawals/withdrawal.store.js';

/** Processes withdrawals and deposits. Any number of engines may share the work. */
export interface TransferEngine {
  /** Processes due work now, on every wake-up, when the next withdrawal is due, and every few seconds. */
  start(): Promise<void>;
  /** Processes all work that is due now. */
  drain(): Promise<void>;
  /** Claims nothing more, and finishes the work under way. */
  stop(): Promise<void>;
}

export interface TransferEngineParts {
  readonly custodies: Custodies;
  readonly times?: SendTimes;
}

/** The shortest timer; otherwise withdrawals that others are processing, or whose currency is halted, would be polled without a pause. */
const leastWaitMs = 500;
const mostWaitMs = 60_000;

export function createTransferEngine(
  context: Context,
  { custodies, times = sendTimes }: TransferEngineParts,
): TransferEngine {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let task: ScheduledTask | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  // A context of its own, since the loaders of a context belong to one request.
  const own = (): Context => ({ ...context, loaders: new Map() });
  const trying = async (words: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      tellFailed(context.log, error, words);
    }
  };

  const send = coalesced(() =>
    trying('Withdrawals could not be processed', async () => {
      while (!stopping && (await sendWithdrawals(own(), custodies, times)) > 0);
    }),
  );
  const read = coalesced(async () => {
    for (const synthetic of [false, true]) {
      if (stopping) return;
      const custody = synthetic ? custodies.synthetic : custodies.real;
      if (custody === undefined) continue;
      await trying('Deposits could not be read', async () => {
        await readDeposits(own(), custody, synthetic);
      });
    }
  });
  const drain = async () => {
    await Promise.all([send(), read()]);
  };
  const look = coalesced(async () => {
    await drain();
    clearTimeout(timer);
    await trying('Could not determine when the next withdrawal is due', async () => {
      const at = stopping ? null : await nextDue(own(), worldsOf(custodies));
      if (at === null) return;
      const waitMs = at.getTime() - context.clock.now().getTime();
      timer = setTimeout(() => void look(), Math.min(Math.max(waitMs, leastWaitMs), mostWaitMs));
    });
  });

  return {
    start: async () => {
      stopListening = await context.bus.listen(transfersDueTopic, () => void look());
      const words = { name: 'trading.transfers', logger: cronWords(context.log) };
      task = schedule('*/2 * * * * *', () => void look(), words);
      void look();
    },
    drain,
    stop: async () => {
      stopping = true;
      await task?.destroy();
      await stopListening?.();
      await look();
      clearTimeout(timer);
    },
  };
}
