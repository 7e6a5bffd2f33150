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

/** Moves withdrawals on and takes deposits in. Any number of engines share the work. */
export interface TransferEngine {
  /** Looks for what is due now, whenever it is told that something is, when the next withdrawal is due, and every few seconds. */
  start(): Promise<void>;
  /** Does what is due now, all of it. */
  drain(): Promise<void>;
  /** Takes nothing more, and ends with what is under way. */
  stop(): Promise<void>;
}

export interface TransferEngineParts {
  readonly custodies: Custodies;
  readonly times?: SendTimes;
}

/** No timer is set for less, or what others are doing, or what is halted, would be looked for without a pause. */
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
  // Its own, since the loaders of a context are of one request.
  const own = (): Context => ({ ...context, loaders: new Map() });
  const trying = async (words: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      tellFailed(context.log, error, words);
    }
  };

  const send = coalesced(() =>
    trying('Withdrawals could not be moved on', async () => {
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
    await trying('It could not be found out when the next withdrawal is due', async () => {
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
