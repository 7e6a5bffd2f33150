import { ApiError, byRule } from '../../../../shared/kernel/errors.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { Journal } from '../../ledger/post-journals.js';

export const withdrawalStates = [
  'AWAITING_APPROVAL',
  'READY',
  'SENDING',
  'SENT',
  'QUARANTINED',
  'UNCONFIRMED',
  'COMPLETED',
  'FAILED',
  'REJECTED',
] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

export type WithdrawalStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

export const publicStatus: Readonly<Record<WithdrawalState, WithdrawalStatus>> = {
  AWAITING_APPROVAL: 'PENDING',
  READY: 'PENDING',
  SENDING: 'PROCESSING',
  SENT: 'PROCESSING',
  QUARANTINED: 'PROCESSING',
  UNCONFIRMED: 'PROCESSING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  REJECTED: 'FAILED',
};

export const withdrawalStatesOf = (status: WithdrawalStatus | null | undefined): readonly WithdrawalState[] | null =>
  status == null ? null : withdrawalStates.filter((state) => publicStatus[state] === status);

/**
 * The events of a withdrawal.
 * - `CLAIM`: an engine claims it, and sends it once that is committed
 * - `ACCEPT`, `REFUSE`: custody sends it, or never will
 * - `GIVE_UP`: custody does not report its outcome, or does not know what was sent
 * - `LOOK_AGAIN`: custody is asked again about what was sent
 * - `CONFIRM`, `RETURN`: the network has confirmed it for good, or returned it
 * - `COME_BACK`: two operators, or one and custody, report that it came back after it had arrived, as a bank returns a PIX or TED
 */
export type WithdrawalEvent =
  'APPROVE' | 'REJECT' | 'CLAIM' | 'ACCEPT' | 'REFUSE' | 'GIVE_UP' | 'LOOK_AGAIN' | 'CONFIRM' | 'RETURN' | 'COME_BACK';

/** The transitions of a withdrawal. FAILED and REJECTED are final, and COMPLETED is unless it comes back. */
export const withdrawalTransitions: Readonly<
  Record<WithdrawalState, Readonly<Partial<Record<WithdrawalEvent, WithdrawalState>>>>
> = {
  AWAITING_APPROVAL: { APPROVE: 'READY', REJECT: 'REJECTED' },
  READY: { CLAIM: 'SENDING', REJECT: 'REJECTED' },
  SENDING: { ACCEPT: 'SENT', REFUSE: 'FAILED', GIVE_UP: 'QUARANTINED' },
  QUARANTINED: { ACCEPT: 'SENT', REFUSE: 'FAILED' },
  SENT: { CONFIRM: 'COMPLETED', RETURN: 'FAILED', GIVE_UP: 'UNCONFIRMED' },
  UNCONFIRMED: { LOOK_AGAIN: 'SENT', CONFIRM: 'COMPLETED', RETURN: 'FAILED' },
  COMPLETED: { COME_BACK: 'FAILED' },
  FAILED: {},
  REJECTED: {},
};

/**
 * Returns the state of a withdrawal after an event.
 * @throws {ApiError} CONFLICT if the event cannot happen in that state
 */
export function transition(state: WithdrawalState, event: WithdrawalEvent): WithdrawalState {
  const next = withdrawalTransitions[state][event];
  if (next === undefined) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_STATE'));
  return next;
}

/** The fields of a withdrawal that the ledger needs: decimal text in its currency. */
export interface WithdrawnFunds {
  readonly id: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
}

export function heldAmount({ amount, fee }: Pick<WithdrawnFunds, 'amount' | 'fee'>): Decimal {
  return new Decimal(amount).plus(fee);
}

/**
 * Returns the journal of an event; undefined if it has none. From ACCEPT to CONFIRM or RETURN the amount is in transit: it has
 * left custody, and is still set aside from the client's funds.
 */
export function journalOf(event: WithdrawalEvent, funds: WithdrawnFunds): Journal | undefined {
  const { id, walletId, synthetic, currency, amount, fee } = funds;
  const custody = { kind: 'CUSTODY', currency } as const;
  const transit = { kind: 'WITHDRAWALS_IN_TRANSIT', currency } as const;
  const lost = new Decimal(amount).negated();
  const identity = { causeId: id, synthetic };
  switch (event) {
    case 'ACCEPT':
      return {
        ...identity,
        key: `withdrawal.sent:${id}`,
        cause: 'withdrawal.sent',
        postings: [
          { account: custody, amount },
          { account: transit, amount: lost },
        ],
      };
    case 'CONFIRM':
      return {
        ...identity,
        key: `withdrawal.completed:${id}`,
        cause: 'withdrawal.completed',
        holds: [{ act: 'spend', id, amount: heldAmount(funds) }],
        postings: [
          { account: transit, amount },
          { account: { kind: 'FEES', currency }, amount: fee },
        ],
      };
    case 'RETURN':
      return {
        ...identity,
        key: `withdrawal.returned:${id}`,
        cause: 'withdrawal.returned',
        holds: [{ act: 'release', id }],
        postings: [
          { account: transit, amount },
          { account: custody, amount: lost },
        ],
      };
    case 'COME_BACK':
      return {
        ...identity,
        key: `withdrawal.returned:${id}`,
        cause: 'withdrawal.returned',
        postings: [
          { account: custody, amount: lost },
          { account: { kind: 'FEES', currency }, amount: new Decimal(fee).negated() },
          { account: { kind: 'AVAILABLE', walletId, currency }, amount: heldAmount(funds) },
        ],
      };
    case 'REFUSE':
    case 'REJECT':
      // The same key as for RETURN: funds come back once, whatever the path.
      return {
        ...identity,
        key: `withdrawal.returned:${id}`,
        cause: 'withdrawal.returned',
        holds: [{ act: 'release', id }],
      };
    case 'APPROVE':
    case 'CLAIM':
    case 'GIVE_UP':
    case 'LOOK_AGAIN':
      return undefined;
  }
}
