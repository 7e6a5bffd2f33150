import { Decimal } from '../../../../shared/decimal.js';
import type { Posting } from '../../ledger/post-journals.js';

/** States of a deposit (README, transfers). */
export const depositStates = ['SEEN', 'CONFIRMED', 'REVERSED', 'QUARANTINED', 'WRITTEN_OFF'] as const;
export type DepositState = (typeof depositStates)[number];

/**
 * What happens to a deposit.
 * - `SEE`: it came back into a block, and has too few confirmations
 * - `CONFIRM`: it has enough
 * - `REVERSE`: it is in no block any more, and the client's credit is taken back
 * - `QUARANTINE`: it is in no block any more, and the client has less than was credited
 * - `WRITE_OFF`: the house bears what is missing
 */
export type DepositEvent = 'SEE' | 'CONFIRM' | 'REVERSE' | 'QUARANTINE' | 'WRITE_OFF';

/** What a move does to the ledger. */
type Effect =
  /** The client is credited, and it is announced. */
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

/** The moves of a deposit. None is for ever: a network may change its mind at any time. */
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

/** How a network has a deposit. */
export interface Standing {
  readonly confirmations: number;
  readonly reorganised: boolean;
}

/** What a sighting means for a deposit; undefined where it changes nothing. */
export function eventOf(
  state: DepositState,
  { confirmations, reorganised }: Standing,
  needed: number,
): DepositEvent | undefined {
  const event = reorganised ? 'REVERSE' : confirmations >= needed ? 'CONFIRM' : 'SEE';
  // What is in quarantine is taken back by an operator alone.
  if (event === 'REVERSE' && state === 'QUARANTINED') return undefined;
  return depositMoves[state][event] === undefined ? undefined : event;
}

/** A deposit, as far as the ledger needs it: decimal text in its currency. */
export interface Funds {
  readonly walletId: string;
  readonly currency: string;
  /** What arrived. */
  readonly amount: string;
  /** What of it the client is credited; the rest, finer than the currency, is the house's. */
  readonly credited: string;
}

/** What an effect posts: nothing for NONE. */
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
