import type { Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { createCursorCodec } from '../../../shared/cursor.js';
import type { Job } from '../../../shared/scheduler.js';
import type { WatchedQueue } from '../../../shared/work-queue/watched-queue.js';
import { AllowListResolver } from './allow-list/allow-list.resolver.js';
import { reconcileCustody } from './custody/reconcile-custody.js';
import { worldsOf, type Custodies, type Custody } from './custody/custody.js';
import { createSimulatedCustody } from './custody/simulated/simulated-custody.js';
import { CompanyWithdrawalsResolver } from './company-withdrawals.resolver.js';
import { watchedSetAside } from './deposits/set-aside.store.js';
import { DepositOperatorResolver } from './deposits/deposit-operator.resolver.js';
import { DepositResolver } from './deposits/deposit.resolver.js';
import { createTransferEngine, type TransferEngine } from './engine.js';
import type { TransferRules, ValueInBrl } from './rules.js';
import type { SimulatedCustodies } from './simulate-deposit.js';
import { TransferOperatorResolver } from './withdrawals/transfer-operator.resolver.js';
import type { SendTimes } from './withdrawals/send-withdrawal.js';
import { strandedWithdrawalsJob } from './withdrawals/stranded.js';
import { watchedWithdrawals } from './withdrawals/withdrawal.store.js';
import { WithdrawalResolver } from './withdrawals/withdrawal.resolver.js';

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
  /** The resolvers of deposits and withdrawals. */
  readonly resolvers: readonly object[];
  /** The queues of its engine, for operators. */
  readonly queues: readonly WatchedQueue[];
  readonly custodies: Custodies;
  /** The simulated providers. */
  readonly simulated: SimulatedCustodies;
  readonly jobs: readonly Job[];
  /** Compares the real balances in custody with the ledger, and stores what it finds. */
  readonly reconcileCustody: (context: Context) => Promise<void>;
  /** Opens the engine that processes transfers, in processes with background work. */
  openEngine(context: Context, times?: SendTimes): TransferEngine;
}

/** Wires deposits and withdrawals. */
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
