import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError, refuse, byRule, errorAt } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { requireReason } from '../../../../shared/kernel/reason.js';
import { wakeTransfers } from '../wake.js';
import {
  lockDeposit,
  type DepositRow,
  saveDeposit,
  insertAddress,
  listAddresses,
  type DepositAddressRow,
} from './deposit.store.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { listAvailable } from '../../ledger/ledger.store.js';
import { clientCurrencies, postJournal } from '../../ledger/post-journals.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { depositMoves, postingsBetween, type DepositEvent, isCredited, keptOf } from './deposit.js';
import { announce } from '../../../../shared/events/outbox/outbox.js';
import { formatAmount } from '../../format-amount.js';
import { ownerOf } from '../transfer.store.js';
import { custodyOf, type Custodies, type Custody } from '../custody/custody.js';
import { networksOf, transferCurrencies, type Network } from '../networks.js';

/** Attempts to take back what a client has, which may become less between the read and the posting. */
const mostAttempts = 3;

/** One that is taken back whole is REVERSED. @param otherwise where the client has less @throws {ApiError} INSUFFICIENT_BALANCE if the client spends faster than can be followed */
export async function takeBack(
  tx: Context,
  row: DepositRow,
  otherwise: 'QUARANTINE' | 'WRITE_OFF',
): Promise<DepositRow> {
  for (let attempt = 1; ; attempt += 1) {
    const [available = '0'] = await listAvailable(tx, [row]);
    const takenBack = Decimal.min(row.credited, new Decimal(row.takenBack).plus(available));
    const event = takenBack.equals(row.credited) ? 'REVERSE' : otherwise;
    try {
      return await inTransaction(tx, (nested) => moveDeposit(nested, row, event, { takenBack: takenBack.toFixed() }));
    } catch (error) {
      const isSpent = error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE';
      if (!isSpent || attempt === mostAttempts) throw error;
    }
  }
}

export type DepositResolution = 'REVERSED' | 'WRITTEN_OFF';

/**
 * Resolves a deposit that its network dropped after the client had spent it: the rest of the credit is taken back (REVERSED), or as much of it
 * as the client has, and the house bears what is missing then (WRITTEN_OFF). The wallet may withdraw again.
 * @throws {ApiError} BAD_REQUEST; NOT_FOUND; CONFLICT for a deposit that is not in quarantine; INSUFFICIENT_BALANCE if the client still has less
 */
export async function resolveDeposit(
  context: Context,
  id: string,
  outcome: DepositResolution,
  reason: string,
): Promise<DepositRow> {
  const resolution = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const row = isUuid(id) ? await lockDeposit(tx, id) : undefined;
    if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such deposit' });
    if (row.state !== 'QUARANTINED') throw new ApiError('CONFLICT', byRule('DEPOSIT_NOT_HELD'));
    const held = { ...row, resolution };
    const after =
      outcome === 'REVERSED'
        ? await moveDeposit(tx, held, 'REVERSE', { takenBack: row.credited })
        : await takeBack(tx, held, 'WRITE_OFF');
    await recordAudit(tx, {
      action: 'resolveDeposit',
      subject: { type: 'deposit', id: row.id },
      before: { state: row.state, takenBack: row.takenBack },
      after: { state: after.state, takenBack: after.takenBack, reason: resolution },
    });
    wakeTransfers(tx);
    return after;
  });
}

/**
 * Applies a transition to a deposit, which is locked: its journal, its event and its state, together.
 * @param before the deposit, with custody's newest revision
 * @param changes its amounts after the transition, as far as they change; where `takenBack` is not given, nothing of the credit is taken back
 * @throws {ApiError} CONFLICT for an impossible transition; INSUFFICIENT_BALANCE if the client has less than is taken back
 */
export async function moveDeposit(
  tx: Context,
  before: DepositRow,
  event: DepositEvent,
  changes: Partial<Pick<DepositRow, 'amount' | 'credited' | 'takenBack'>> = {},
): Promise<DepositRow> {
  const state = depositMoves[before.state][event];
  if (state === undefined) throw new ApiError('CONFLICT', byRule('DEPOSIT_STATE'));
  const after = {
    ...before,
    takenBack: '0',
    ...changes,
    state,
    confirmedAt: state === 'CONFIRMED' ? tx.clock.now() : before.confirmedAt,
    quarantinedAt: state === 'QUARANTINED' ? tx.clock.now() : null,
    // A resolution of an earlier quarantine does not apply to this state.
    resolution: before.state === 'QUARANTINED' && state !== 'CONFIRMED' ? before.resolution : null,
  };
  await saveDeposit(tx, after);
  await announceDeposit(tx, before, after);
  const postings = postingsBetween(before, after);
  if (postings.length > 0) {
    // Each revision of a deposit undergoes each transition once.
    const key = `deposit.${event.toLowerCase()}:${after.id}:${after.revision}`;
    const { id: causeId, walletId, synthetic, currency } = after;
    const journal = { key, cause: causes[event], causeId, synthetic, postings };
    await postJournal(tx, journal);
    await tellReaders(tx, { id: walletId, synthetic }, { currencies: clientCurrencies([journal], currency) });
  }
  return after;
}

const causes: Readonly<Record<DepositEvent, string>> = {
  SEE: 'deposit.seen',
  CONFIRM: 'deposit.confirmed',
  CORRECT: 'deposit.corrected',
  REVERSE: 'deposit.reversed',
  QUARANTINE: 'deposit.quarantined',
  WRITE_OFF: 'deposit.written_off',
};

/** Announces each credit (as a correction where it replaces an earlier one), and what is taken back. Synthetic funds are not announced: a recipient might mistake them for real ones. */
async function announceDeposit(tx: Context, before: DepositRow, after: DepositRow): Promise<void> {
  if (after.synthetic) return;
  if (after.state === 'CONFIRMED') {
    const correction = before.confirmedAt === null ? {} : { correction: true };
    await announceAs(tx, 'deposit.confirmed', after, {
      amount: formatAmount(after.credited, after.decimals),
      ...correction,
    });
  } else if (isCredited(before)) {
    const amount = formatAmount(keptOf(before).minus(keptOf(after)), after.decimals);
    const status = after.state === 'QUARANTINED' ? 'QUARANTINED' : 'REVERSED';
    await announceAs(tx, 'deposit.reversed', after, { amount, status });
  }
}

async function announceAs(
  tx: Context,
  topic: string,
  { id, walletId, currency, network }: DepositRow,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { ownerId, profileId } = await ownerOf(tx, walletId);
  const data = {
    depositId: id,
    asset: currency,
    network,
    ...fields,
    occurredAt: tx.clock.now().toISOString(),
    ...(profileId === null ? {} : { profileId }),
  };
  await announce(tx, { topic, key: id, payload: { ownerId, data } });
}

export interface DepositAddress {
  readonly network: Network;
  readonly address: string;
  readonly memo: string | null;
}

interface AddressRequest {
  readonly currency: string;
  /** Null for every network of the currency. */
  readonly network: string | null;
}

/** An address is stored on the first request, and never changes. @throws {ApiError} BAD_REQUEST for an unknown currency or network; UNAVAILABLE without custody */
export async function requireAddresses(
  context: Context,
  custodies: Custodies,
  wallet: { readonly id: string; readonly synthetic: boolean },
  { currency, network }: AddressRequest,
): Promise<DepositAddress[]> {
  const wanted = requireNetworks(currency, network);
  // Checked before the stored addresses, which may belong to a custody that is no longer connected.
  const custody = custodyOf(custodies, wallet.synthetic);
  const known = new Map((await listAddresses(context, wallet.id)).map((row) => [row.network, row]));
  const result: DepositAddress[] = [];
  for (const one of wanted) {
    const row = known.get(one.name) ?? (await assign(context, custody, wallet, one));
    result.push({ network: one, address: row.address, memo: row.memo });
  }
  return result;
}

function requireNetworks(currency: string, name: string | null): readonly Network[] {
  const all = networksOf(currency);
  if (all.length === 0)
    refuse('BAD_REQUEST', [errorAt('currency', 'NOT_DEPOSITABLE', { known: transferCurrencies.join(', ') })]);
  const wanted = name === null ? all : all.filter((network) => network.name === name);
  const names = all.map((network) => network.name).join(', ');
  if (wanted.length === 0) refuse('BAD_REQUEST', [errorAt('network', 'ONE_OF', { known: names })]);
  return wanted;
}

async function assign(
  context: Context,
  custody: Custody,
  { id: walletId, synthetic }: { readonly id: string; readonly synthetic: boolean },
  { currency, name: network }: Network,
): Promise<DepositAddressRow> {
  const made = await custody.depositAddress(context, { walletId, currency, network });
  const row = { walletId, synthetic, network, ...made };
  await insertAddress(context, row);
  return row;
}
