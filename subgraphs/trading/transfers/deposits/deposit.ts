import { Decimal } from '../../../../shared/decimal.js';
import type { Posting } from '../../ledger/post-journals.js';

/** States of a deposit (README, transfers). */
export const depositStates = ['SEEN', 'CONFIRMED', 'REVERSED', 'QUARANTINED', 'WRITTEN_OFF'] as const;
export type DepositState = (typeof depositStates)[number];

/**
 * The events of a deposit.
 * - `SEE`: it is in a block again, and has too few confirmations
 * - `CONFIRM`: it has enough
 * - `REVERSE`: it is not in a block any more, and the client's credit is taken back
 * - `QUARANTINE`: it is not in a block any more, and the client has less than was credited
 * - `WRITE_OFF`: the house bears the missing amount
 */
export type DepositEvent = 'SEE' | 'CONFIRM' | 'REVERSE' | 'QUARANTINE' | 'WRITE_OFF';

/** The effect of a transition on the ledger. */
type Effect =
  /** The client is credited, and the credit is announced. */
  | 'CREDIT'
  /** The credit is taken back. */
  | 'DEBIT'
  /** The house bears the credit, or gets it back. */
  | 'BEAR'
  | 'RECOVER'
  | 'NONE';

interface Move {
  readonly to: DepositState;
  readonly effect: Effect;
}

/** The transitions of a deposit. No state is final: a network may reorganise at any time. */
export const depositMoves: Readonly<Record<DepositState, Readonly<Partial<Record<DepositEvent, Move>>>>> = {
  SEEN: { CONFIRM: { to: 'CONFIRMED', effect: 'CREDIT' }, REVERSE: { to: 'REVERSED', effect: 'NONE' } },
  CONFIRMED: { REVERSE: { to: 'REVERSED', effect: 'DEBIT' }, QUARANTINE: { to: 'QUARANTINED', effect: 'NONE' } },
  REVERSED: { SEE: { to: 'SEEN', effect: 'NONE' }, CONFIRM: { to: 'CONFIRMED', effect: 'CREDIT' } },
  QUARANTINED: {
    CONFIRM: { to: 'CONFIRMED', effect: 'NONE' },
    REVERSE: { to: 'REVERSED', effect: 'DEBIT' },
    WRITE_OFF: { to: 'WRITTEN_OFF', effect: 'BEAR' },
  },
  WRITTEN_OFF: { CONFIRM: { to: 'CONFIRMED', effect: 'RECOVER' } },
};

/** The state of a deposit in its network. */
export interface Standing {
  readonly confirmations: number;
  readonly reorganised: boolean;
}

/** Returns the event that a sighting means for a deposit; undefined if it changes nothing. */
export function eventOf(
  state: DepositState,
  { confirmations, reorganised }: Standing,
  needed: number,
): DepositEvent | undefined {
  const event = reorganised ? 'REVERSE' : confirmations >= needed ? 'CONFIRM' : 'SEE';
  // Only an operator takes back a deposit in quarantine.
  if (event === 'REVERSE' && state === 'QUARANTINED') return undefined;
  return depositMoves[state][event] === undefined ? undefined : event;
}

/** The fields of a deposit that the ledger needs: decimal text in its currency. */
export interface Funds {
  readonly walletId: string;
  readonly currency: string;
  /** The amount received. */
  readonly amount: string;
  /** The part credited to the client; the rest, finer than the currency, is the house's. */
  readonly credited: string;
}

/** Returns the postings of an effect: none for NONE. */
export function postingsOf(effect: Effect, { walletId, currency, amount, credited }: Funds): readonly Posting[] {
  if (effect === 'NONE') return [];
  const sign = effect === 'CREDIT' || effect === 'RECOVER' ? 1 : -1;
  const [arrived, credit] = [new Decimal(amount).times(sign), new Decimal(credited).times(sign)];
  const bearer = effect === 'CREDIT' || effect === 'DEBIT' ? clientAccount(walletId, currency) : capital(currency);
  return [
    { account: { kind: 'CUSTODY', currency }, amount: arrived.negated() },
    { account: bearer, amount: credit },
    { account: { kind: 'ROUNDING', currency }, amount: arrived.minus(credit) },
  ];
}

const clientAccount = (walletId: string, currency: string) => ({ kind: 'AVAILABLE', walletId, currency }) as const;
const capital = (currency: string) => ({ kind: 'CAPITAL', currency }) as const;
