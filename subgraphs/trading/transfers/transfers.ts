import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { createCursorCodec } from '../../../shared/graphql/cursor.js';
import type { Job } from '../../../shared/work/scheduler.js';
import type { WatchedQueue } from '../../../shared/work/queue/watched-queue.js';
import { AllowListResolver } from './allow-list/allow-list.resolver.js';
import { reconcileCustody } from './custody/reconcile-custody.js';
import { worldsOf, type Custodies, type Custody } from './custody/custody.js';
import { createSimulatedCustody } from './custody/simulated/simulated-custody.js';
import { watchedSetAside, setAsideDeposits, type SetAside } from './deposits/deposit.store.js';
import { DepositOperatorResolver, DepositResolver } from './deposits/deposit.resolver.js';
import type { TransferRules, ValueInBrl } from './networks.js';
import type { SimulatedCustodies } from './simulate-deposit.js';
import {
  TransferOperatorResolver,
  WithdrawalResolver,
  CompanyWithdrawalsResolver,
} from './withdrawals/withdrawal.resolver.js';
import { type SendTimes, strandedWithdrawalsJob, sendTimes, sendWithdrawal } from './withdrawals/send-withdrawal.js';
import { watchedWithdrawals, dueWithdrawals, type ClaimedWithdrawal } from './withdrawals/withdrawal.store.js';
import { coalesced } from '../../../shared/memo.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { createWorkQueue, joinQueues, type WorkQueue } from '../../../shared/work/queue/work-queue.js';
import { readDeposits, retrySetAside } from './deposits/apply-sighting.js';
import { transfersDueTopic } from './wake.js';

export interface TransferParts {
  readonly keyRing: KeyRing;
  readonly rules: TransferRules;
  /** Values amounts: a real withdrawal of unknown value must be approved. */
  readonly valueInBrl: ValueInBrl;
  /** The custody of real funds. Without it, real deposits and withdrawals are impossible. */
  readonly custody?: Custody;
  /** Whether the simulated provider keeps real funds if `custody` is omitted: in the demo, in the sandbox, in tests. */
  readonly simulatesReal?: boolean;
  /** Time between two blocks of the simulated networks: a second by default. */
  readonly blockMs?: number;
}

export interface Transfers {
  readonly resolvers: readonly object[];
  readonly queues: readonly WatchedQueue[];
  readonly custodies: Custodies;
  readonly simulated: SimulatedCustodies;
  readonly jobs: readonly Job[];
  readonly reconcileCustody: (context: Context) => Promise<void>;
  /** Opens the engine that processes transfers, in processes with background work. */
  openEngine(context: Context, times?: SendTimes): TransferEngine;
}

export function createTransfers(parts: TransferParts): Transfers {
  const { keyRing, rules, valueInBrl, custody, simulatesReal = false, blockMs } = parts;
  const blocks = blockMs === undefined ? {} : { blockMs };
  const synthetic = createSimulatedCustody({ synthetic: true, ...blocks });
  const isSimulated = custody === undefined && simulatesReal;
  const simulated = isSimulated ? createSimulatedCustody({ synthetic: false, ...blocks }) : undefined;
  const custodies = { real: custody ?? simulated, synthetic };
  const worlds = worldsOf(custodies);
  const reconcile = (context: Context) => reconcileCustody(context, custodies.real);
  const providers = { real: simulated, synthetic };
  const depositCursors = createCursorCodec(keyRing, 'trading-deposits');
  const withdrawalCursors = createCursorCodec(keyRing, 'trading-withdrawals');
  return {
    resolvers: [
      new WithdrawalResolver({ rules, valueInBrl, custodies }, withdrawalCursors),
      new TransferOperatorResolver(withdrawalCursors),
      new DepositResolver(custodies, depositCursors),
      new DepositOperatorResolver(providers, depositCursors),
      new AllowListResolver(rules.coolingMs),
      new CompanyWithdrawalsResolver(),
    ],
    queues: [watchedWithdrawals(worlds), watchedSetAside(worlds)],
    custodies,
    simulated: providers,
    jobs: [strandedWithdrawalsJob(custodies), { name: 'trading.reconcile-custody', cron: '* * * * *', run: reconcile }],
    reconcileCustody: reconcile,
    openEngine: (context, times) =>
      createTransferEngine(context, { custodies, ...(times === undefined ? {} : { times }) }),
  };
}

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

function createTransferEngine(context: Context, { custodies, times = sendTimes }: TransferEngineParts): TransferEngine {
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
    // If the live or the synthetic custody does not respond, it must not hold up the deposits of the other one.
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
