import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { backoffMs } from '../../../../shared/work/queue/work-queue.js';
import { custodyOf, type Custodies, type Custody, type CustodyTransfer, type SendResult } from '../custody/custody.js';
import {
  lockWithdrawal,
  saveWithdrawal,
  type ClaimedWithdrawal,
  type WithdrawalRow,
  readReady,
} from './withdrawal.store.js';
import { announce } from '../../../../shared/events/outbox/outbox.js';
import { formatAmount } from '../../format-amount.js';
import { clientCurrencies, postJournals } from '../../ledger/post-journals.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { maskAddress } from '../addresses/check-address.js';
import { findNetwork } from '../networks.js';
import { ownerOf } from '../transfer.store.js';
import { journalOf, transition, type WithdrawalEvent } from './withdrawal.js';
import type { Job } from '../../../../shared/work/scheduler.js';
import type { DatabaseGauge } from '../../../../shared/kernel/metrics.js';

export interface SendTimes {
  /** Longer than custody may take to respond to a look-up and a send, so that a lost order is looked up and never sent concurrently. */
  readonly leaseMs: number;
  readonly timeoutMs: number;
  readonly pollMs: number;
  /** Delay before the look-up of an order with an unknown outcome: doubled with each attempt, up to `mostWaitMs`. */
  readonly firstWaitMs: number;
  readonly mostWaitMs: number;
}

export const sendTimes: SendTimes = {
  leaseMs: 30_000,
  timeoutMs: 10_000,
  pollMs: 2_000,
  firstWaitMs: 5_000,
  mostWaitMs: 600_000,
};

/** Number of attempts after which an order with an unknown outcome waits for an operator, if custody responds to other calls. */
const mostAttempts = 12;

export interface Sending {
  readonly withdrawal: ClaimedWithdrawal;
  readonly lease: string;
  readonly times: SendTimes;
}

/**
 * Takes the next step for a claimed withdrawal: sends one that is ready, looks up one that may have been sent, and asks for the confirmations of a sent
 * one, and whether one came back that had arrived.
 *
 * Every order is committed as SENDING before it is sent. An engine that finds it in this state later looks it up first, and sends it again, with
 * the same client id, only if custody never had it.
 */
export async function sendWithdrawal(
  context: Context,
  custodies: Custodies,
  { withdrawal, lease, times }: Sending,
): Promise<void> {
  await settle(context, withdrawal, lease, await advance(context, custodies, withdrawal, times));
}

/** The decision on a withdrawal: some transitions, or another look-up at a later time, if any. Look-ups of a sent withdrawal are counted while they find nothing. */
type Decision = readonly WithdrawalMove[] | { readonly lookAgainAt: Date | null; readonly attempts: number };

async function advance(
  context: Context,
  custodies: Custodies,
  withdrawal: ClaimedWithdrawal,
  times: SendTimes,
): Promise<Decision> {
  const later = (ms: number) => new Date(context.clock.now().getTime() + ms);
  try {
    const custody = custodyOf(custodies, withdrawal.synthetic);
    if (withdrawal.isFirst) return afterSend(await send(context, custody, withdrawal, times), later(times.pollMs));
    const found = await within(times.timeoutMs, custody.lookUp(context, withdrawal.id));
    if (withdrawal.state === 'COMPLETED') return afterReport(found);
    if (found !== undefined) return afterLookUp(withdrawal, found, later(times.pollMs));
    if (withdrawal.state === 'SENT') throw new Error('Custody does not know a withdrawal that it had accepted');
    return afterSend(await send(context, custody, withdrawal, times), later(times.pollMs));
  } catch (error) {
    const { id, state } = withdrawal;
    // The claim has counted the attempts of those being sent.
    const attempts = withdrawal.attempts + (state === 'SENDING' ? 0 : 1);
    context.log.warn(
      { err: error, withdrawal: id, state, attempts },
      'Custody does not report the outcome of a withdrawal',
    );
    if (attempts >= mostAttempts && state === 'COMPLETED') return nothingMore;
    if (attempts >= mostAttempts && !(await isAway(context, custodies, withdrawal, times)))
      return [{ event: 'GIVE_UP' }];
    const waitMs = backoffMs(attempts, { firstMs: times.firstWaitMs, mostMs: times.mostWaitMs });
    return { lookAgainAt: later(waitMs), attempts: Math.min(attempts, mostAttempts - 1) };
  }
}

/**
 * Whether custody itself responds to no call at all: an operator then could not find out more about a withdrawal. A custody that is not connected does not
 * count as unavailable.
 */
async function isAway(
  context: Context,
  custodies: Custodies,
  { synthetic }: WithdrawalRow,
  { timeoutMs }: SendTimes,
): Promise<boolean> {
  const custody = synthetic ? custodies.synthetic : custodies.real;
  if (custody === undefined) return false;
  try {
    await within(timeoutMs, custody.readDeposits(context, '', 1));
    return false;
  } catch (error) {
    context.log.error({ err: error }, 'Custody does not respond: withdrawals that it may have received wait for it');
    return true;
  }
}

function send(
  context: Context,
  custody: Custody,
  withdrawal: WithdrawalRow,
  { timeoutMs }: SendTimes,
): Promise<SendResult> {
  const { id: clientId, currency, network, address, amount } = withdrawal;
  return within(timeoutMs, custody.send(context, { clientId, currency, network, address, amount }));
}

function afterSend(result: SendResult, dueAt: Date): Decision {
  if (!result.accepted) return [{ event: 'REFUSE', outcome: { failure: result.reason } }];
  return [{ event: 'ACCEPT', outcome: { transaction: result.transaction, dueAt } }];
}

function afterLookUp({ state }: WithdrawalRow, found: CustodyTransfer, dueAt: Date): Decision {
  const { transaction } = found;
  const accepted = state === 'SENDING' ? [{ event: 'ACCEPT', outcome: { transaction, dueAt } } as const] : [];
  if (found.state === 'CONFIRMED') return [...accepted, { event: 'CONFIRM', outcome: { transaction } }];
  if (found.state === 'RETURNED') {
    return [...accepted, { event: 'RETURN', outcome: { transaction, failure: found.reason } }];
  }
  return accepted.length > 0 ? accepted : { lookAgainAt: dueAt, attempts: 0 };
}

const nothingMore: Decision = { lookAgainAt: null, attempts: 0 };

/** Decides on a COMPLETED withdrawal that one operator reported as returned: a report of custody replaces the second operator. */
function afterReport(found: CustodyTransfer | undefined): Decision {
  return found?.state === 'RETURNED' ? [{ event: 'COME_BACK', outcome: { failure: found.reason } }] : nothingMore;
}

/** Writes the decision, unless the lease ran out and another engine has the withdrawal. */
async function settle(context: Context, { id }: WithdrawalRow, lease: string, decision: Decision): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = await lockWithdrawal(tx, id, lease);
    if (row === undefined) return;
    if ('lookAgainAt' in decision)
      await saveWithdrawal(tx, { ...row, dueAt: decision.lookAgainAt, attempts: decision.attempts });
    else await moveWithdrawal(tx, row, ...decision);
  });
}

/** Returns the result of a call, or throws if there is none in time: the outcome of the call is then unknown. */
async function within<T>(ms: number, call: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal, ref: false }).then(
    () => {
      throw new Error(`Custody did not respond within ${ms} ms`);
    },
    () => call,
  );
  try {
    return await Promise.race([call, late]);
  } finally {
    done.abort();
  }
}

/** The changes that an event brings to a withdrawal; omitted fields stay as they are. */
export interface Outcome {
  readonly transaction?: string | null;
  readonly failure?: string;
  /** When it is due next; never when omitted. */
  readonly dueAt?: Date;
}

export interface WithdrawalMove {
  readonly event: WithdrawalEvent;
  readonly outcome?: Outcome;
}

/**
 * Applies one or several transitions to a withdrawal, which is locked: its state, its events and its journals, together.
 * @throws {ApiError} CONFLICT for an impossible transition
 */
export async function moveWithdrawal(
  tx: Context,
  row: WithdrawalRow,
  ...moves: readonly WithdrawalMove[]
): Promise<WithdrawalRow> {
  const moved = moves.reduce((before, move) => afterMove(tx, before, move), row);
  await saveWithdrawal(tx, moved);
  // Synthetic funds are not announced: a recipient might mistake them for real ones.
  if (moved.state === 'COMPLETED' && !moved.synthetic) await announceWithdrawal(tx, moved);
  // In one call, which locks all their accounts in the canonical order.
  const journals = moves.flatMap(({ event }) => journalOf(event, row) ?? []);
  await postJournals(tx, journals);
  const { walletId: id, synthetic, currency } = row;
  await tellReaders(tx, { id, synthetic }, { currencies: clientCurrencies(journals, currency) });
  return moved;
}

function afterMove({ clock }: Context, row: WithdrawalRow, { event, outcome = {} }: WithdrawalMove): WithdrawalRow {
  const now = clock.now();
  return {
    ...row,
    state: transition(row.state, event),
    transaction: outcome.transaction ?? row.transaction,
    failure: outcome.failure ?? row.failure,
    dueAt: outcome.dueAt ?? null,
    // Look-ups are counted from zero again.
    attempts: event === 'ACCEPT' || event === 'LOOK_AGAIN' ? 0 : row.attempts,
    sentAt: event === 'ACCEPT' ? now : row.sentAt,
    completedAt: completedAt(event, row, now),
  };
}

function completedAt(event: WithdrawalEvent, row: WithdrawalRow, now: Date): Date | null {
  if (event === 'COME_BACK') return null;
  return event === 'CONFIRM' ? now : row.completedAt;
}

async function announceWithdrawal(tx: Context, row: WithdrawalRow): Promise<void> {
  const { ownerId, profileId } = await ownerOf(tx, row.walletId);
  const data = {
    withdrawalId: row.id,
    asset: row.currency,
    amount: formatAmount(row.amount, row.decimals),
    fee: formatAmount(row.fee, row.decimals),
    address: maskAddress(findNetwork(row.currency, row.network)?.addressKind, row.address),
    network: row.network,
    occurredAt: tx.clock.now().toISOString(),
    ...(profileId === null ? {} : { profileId }),
  };
  await announce(tx, {
    topic: 'withdrawal.completed',
    key: row.id,
    payload: { ownerId, data },
  });
}

/** Grows as long as a withdrawal that is ready cannot leave: while no custody is connected, or its currency is halted. */
export const oldestReadyWithdrawal: DatabaseGauge = {
  name: 'trading_oldest_ready_withdrawal_seconds',
  help: 'Seconds for which the oldest withdrawal of real funds has been READY; 0 when there is none.',
  read: async (context) => (await readReady(context)).oldestSeconds,
};

/**
 * Reports real withdrawals that are READY while no custody is connected. They wait for one, and are listed by `transferWithdrawals`;
 * `rejectWithdrawal` releases their funds.
 */
export function strandedWithdrawalsJob(custodies: Custodies): Job {
  return {
    name: 'trading.stranded-withdrawals',
    cron: '*/10 * * * *',
    atStart: true,
    run: async (context) => {
      if (custodies.real !== undefined) return;
      const { count, oldestSeconds } = await readReady(context);
      if (count > 0) context.log.error({ count, oldestSeconds }, 'Withdrawals are ready, but no custody is connected');
    },
  };
}
