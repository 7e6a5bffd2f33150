import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { Posting } from '../../ledger/post-journals.js';

export const depositStates = ['SEEN', 'CONFIRMED', 'REVERSED', 'QUARANTINED', 'WRITTEN_OFF'] as const;
export type DepositState = (typeof depositStates)[number];

/**
 * The events of a deposit.
 * - `SEE`: it is in a block again, and has too few confirmations
 * - `CONFIRM`: it has enough
 * - `CORRECT`: custody reports another amount than was credited
 * - `REVERSE`: it is not in a block any more, and the client's credit is taken back
 * - `QUARANTINE`: it is not in a block any more, and the client has less than was credited: that is taken back, and the rest is owed
 * - `WRITE_OFF`: the house bears what the client still owes
 */
export type DepositEvent = 'SEE' | 'CONFIRM' | 'CORRECT' | 'REVERSE' | 'QUARANTINE' | 'WRITE_OFF';

/** The transitions of a deposit. No state is final: a network may reorganise at any time. */
export const depositMoves: Readonly<Record<DepositState, Readonly<Partial<Record<DepositEvent, DepositState>>>>> = {
  SEEN: { SEE: 'SEEN', CONFIRM: 'CONFIRMED', REVERSE: 'REVERSED' },
  CONFIRMED: { CORRECT: 'CONFIRMED', REVERSE: 'REVERSED', QUARANTINE: 'QUARANTINED' },
  REVERSED: { SEE: 'SEEN', CONFIRM: 'CONFIRMED' },
  QUARANTINED: { CONFIRM: 'CONFIRMED', REVERSE: 'REVERSED', WRITE_OFF: 'WRITTEN_OFF' },
  WRITTEN_OFF: { CONFIRM: 'CONFIRMED' },
};

export interface Standing {
  readonly confirmations: number;
  readonly amount: string;
  readonly reorganised: boolean;
}

/** Returns undefined if it changes nothing. @throws for another amount of a credited deposit that has too few confirmations */
export function eventOf(
  { state, amount: known }: Pick<BookedDeposit, 'state' | 'amount'>,
  { confirmations, amount, reorganised }: Standing,
  needed: number,
): DepositEvent | undefined {
  const event = reorganised ? 'REVERSE' : confirmations >= needed ? 'CONFIRM' : 'SEE';
  // Only an operator takes back a deposit in quarantine.
  if (event === 'REVERSE' && state === 'QUARANTINED') return undefined;
  if (event !== 'REVERSE' && state === 'CONFIRMED' && !new Decimal(amount).equals(known)) {
    if (event === 'CONFIRM') return 'CORRECT';
    throw new Error(`Custody corrected the amount from ${known} to ${amount}, which has too few confirmations`);
  }
  return depositMoves[state][event] === undefined ? undefined : event;
}

/** The fields of a deposit that the ledger needs: decimal text in its currency. */
export interface BookedDeposit {
  readonly walletId: string;
  readonly currency: string;
  readonly state: DepositState;
  readonly amount: string;
  /** The part credited to the client; the rest, finer than the currency, is the house's. */
  readonly credited: string;
  readonly takenBack: string;
}

/** Returns the postings of a change of a deposit: the difference between what its books are before and after. */
export function postingsBetween(before: BookedDeposit, after: BookedDeposit): readonly Posting[] {
  const { walletId, currency } = after;
  const [from, to] = [booksOf(before), booksOf(after)];
  const client = to.client.minus(from.client);
  const capital = to.capital.minus(from.capital);
  const rounding = to.rounding.minus(from.rounding);
  const postings: readonly Posting[] = [
    { account: { kind: 'CUSTODY', currency }, amount: client.plus(capital).plus(rounding).negated() },
    { account: { kind: 'AVAILABLE', walletId, currency }, amount: client },
    { account: { kind: 'CAPITAL', currency }, amount: capital },
    { account: { kind: 'ROUNDING', currency }, amount: rounding },
  ];
  return postings.filter(({ amount }) => !new Decimal(amount).isZero());
}

/** Whether a deposit was credited and the credit was not fully taken back. */
export function isCredited({ state }: Pick<BookedDeposit, 'state'>): boolean {
  return state !== 'SEEN' && state !== 'REVERSED';
}

export function keptOf(deposit: Pick<BookedDeposit, 'state' | 'credited' | 'takenBack'>): Decimal {
  return isCredited(deposit) ? new Decimal(deposit.credited).minus(deposit.takenBack) : new Decimal(0);
}

/** Returns how much of a deposit the accounts hold. Custody has the sum, with the opposite sign. */
function booksOf(deposit: BookedDeposit): Record<'client' | 'capital' | 'rounding', Decimal> {
  const none = new Decimal(0);
  const client = keptOf(deposit);
  // The house pays what the client keeps, and custody has none of it.
  if (deposit.state === 'WRITTEN_OFF') return { client, capital: client.negated(), rounding: none };
  const rounding = isCredited(deposit) ? new Decimal(deposit.amount).minus(deposit.credited) : none;
  return { client, capital: none, rounding };
}
