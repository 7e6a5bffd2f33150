import type { Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { createCursorCodec } from '../../../shared/cursor.js';
import { AllowListResolver } from './allow-list/allow-list.resolver.js';
import type { Custodies, Custody } from './custody/custody.js';
import { createSimulatedCustody } from './custody/simulated/simulated-custody.js';
import { DepositOperatorResolver } from './deposits/deposit-operator.resolver.js';
import { DepositResolver } from './deposits/deposit.resolver.js';
import { createTransferEngine, type TransferEngine } from './engine.js';
import type { TransferRules, ValueInBrl } from './rules.js';
import type { SimulatedCustodies } from './simulate-deposit.js';
import { TransferOperatorResolver } from './withdrawals/transfer-operator.resolver.js';
import type { SendTimes } from './withdrawals/send-withdrawals.js';
import { WithdrawalResolver } from './withdrawals/withdrawal.resolver.js';

export interface TransferParts {
  readonly keyRing: KeyRing;
  readonly rules: TransferRules;
  /** What amounts are worth: a real withdrawal of unknown value has to be approved. */
  readonly valueInBrl: ValueInBrl;
  /** Who keeps real funds; simulated when not given. */
  readonly custody?: Custody;
  /** Time between two blocks of the simulated networks: a second when not given. */
  readonly blockMs?: number;
}

export interface Transfers {
  /** The resolvers of deposits and withdrawals. */
  readonly resolvers: readonly object[];
  readonly custodies: Custodies;
  /** The simulated providers among them. */
  readonly simulated: SimulatedCustodies;
  /** What moves transfers on, in the parts of the house that work in the background. */
  openEngine(context: Context, times?: SendTimes): TransferEngine;
}

/** Deposits and withdrawals, wired. */
export function createTransfers({ keyRing, rules, valueInBrl, custody, blockMs }: TransferParts): Transfers {
  const blocks = blockMs === undefined ? {} : { blockMs };
  const synthetic = createSimulatedCustody({ synthetic: true, ...blocks });
  const simulated = custody === undefined ? createSimulatedCustody({ synthetic: false, ...blocks }) : undefined;
  const real = custody ?? simulated;
  if (real === undefined) throw new Error('There is no custody');
  const custodies = { real, synthetic };
  const providers = { real: simulated, synthetic };
  const depositCursors = createCursorCodec(keyRing, 'trading-deposits');
  const withdrawalCursors = createCursorCodec(keyRing, 'trading-withdrawals');
  return {
    resolvers: [
      new WithdrawalResolver({ rules, valueInBrl }, withdrawalCursors),
      new TransferOperatorResolver(withdrawalCursors),
      new DepositResolver(custodies, depositCursors),
      new DepositOperatorResolver(providers, depositCursors),
      new AllowListResolver(rules.coolingMs),
    ],
    custodies,
    simulated: providers,
    openEngine: (context, times) =>
      createTransferEngine(context, { custodies, ...(times === undefined ? {} : { times }) }),
  };
}
