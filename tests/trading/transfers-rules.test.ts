import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../shared/kernel/decimal.js';
import type { Posting } from '../../subgraphs/trading/ledger/post-journals.js';
import {
  depositMoves,
  depositStates,
  eventOf,
  postingsBetween,
  type BookedDeposit,
  type DepositEvent,
} from '../../subgraphs/trading/transfers/deposits/deposit.js';
import { findNetwork, networks, networksOf } from '../../subgraphs/trading/transfers/networks.js';
import { requireForm, travelRuleIssues } from '../../subgraphs/trading/transfers/withdrawals/withdrawals.acts.js';
import {
  heldAmount,
  journalOf,
  publicStatus,
  transition,
  withdrawalStates,
  withdrawalTransitions,
  type WithdrawalEvent,
  type WithdrawalState,
} from '../../subgraphs/trading/transfers/withdrawals/withdrawal.js';

const withdrawalEvents: readonly WithdrawalEvent[] = [
  'APPROVE',
  'REJECT',
  'CLAIM',
  'ACCEPT',
  'REFUSE',
  'GIVE_UP',
  'LOOK_AGAIN',
  'CONFIRM',
  'RETURN',
  'COME_BACK',
];
const amounts = fc
  .bigInt({ min: 1n, max: 10n ** 12n })
  .map((units) => new Decimal(units.toString()).dividedBy(100).toFixed());

/** What postings do to each kind of account. */
function totals(postings: readonly Posting[]): Record<string, string> {
  const sums = new Map<string, Decimal>();
  for (const { account, amount } of postings) {
    sums.set(account.kind, (sums.get(account.kind) ?? new Decimal(0)).plus(amount));
  }
  return Object.fromEntries(
    [...sums].filter(([, total]) => !total.isZero()).map(([kind, total]) => [kind, total.toFixed()]),
  );
}

describe('a withdrawal', () => {
  test('moves as the table says and in no other way', () => {
    const moves = withdrawalStates.flatMap((state) =>
      withdrawalEvents.flatMap((event) => {
        try {
          return [`${state} ${event} ${transition(state, event)}`];
        } catch (error) {
          expect(error).toMatchObject({ code: 'CONFLICT' });
          return [];
        }
      }),
    );
    expect(moves).toEqual([
      'AWAITING_APPROVAL APPROVE READY',
      'AWAITING_APPROVAL REJECT REJECTED',
      'READY REJECT REJECTED',
      'READY CLAIM SENDING',
      'SENDING ACCEPT SENT',
      'SENDING REFUSE FAILED',
      'SENDING GIVE_UP QUARANTINED',
      'SENT GIVE_UP UNCONFIRMED',
      'SENT CONFIRM COMPLETED',
      'SENT RETURN FAILED',
      'QUARANTINED ACCEPT SENT',
      'QUARANTINED REFUSE FAILED',
      'UNCONFIRMED LOOK_AGAIN SENT',
      'UNCONFIRMED CONFIRM COMPLETED',
      'UNCONFIRMED RETURN FAILED',
      'COMPLETED COME_BACK FAILED',
    ]);
  });

  test('costs the client amount and fee where it is completed, and nothing where it is not, whatever the way', () => {
    const start = fc.constantFrom<WithdrawalState>('AWAITING_APPROVAL', 'READY');
    fc.assert(
      fc.property(
        start,
        fc.array(fc.constantFrom(...withdrawalEvents), { maxLength: 40 }),
        amounts,
        amounts,
        (from, events, amount, fee) => {
          const funds = { id: 'w', walletId: 'w', synthetic: false, currency: 'BRL', amount, fee };
          let state = from;
          let held = heldAmount(funds);
          let spent = new Decimal(0);
          const postings: Posting[] = [];
          for (const event of events) {
            const next = withdrawalTransitions[state][event];
            if (next === undefined) continue;
            const journal = journalOf(event, funds);
            for (const change of journal?.holds ?? []) {
              if (change.act === 'spend') {
                held = held.minus(change.amount);
                spent = spent.plus(change.amount);
              }
              // What is released is the client's again, and no part of it went elsewhere.
              if (change.act === 'release') held = new Decimal(0);
            }
            postings.push(...(journal?.postings ?? []));
            state = next;
          }
          expect(held.isZero()).toBe(['COMPLETED', 'FAILED', 'REJECTED'].includes(state));
          const expected =
            state === 'COMPLETED'
              ? { CUSTODY: new Decimal(amount).toFixed(), FEES: new Decimal(fee).toFixed() }
              : state === 'SENT' || state === 'UNCONFIRMED'
                ? {
                    CUSTODY: new Decimal(amount).toFixed(),
                    WITHDRAWALS_IN_TRANSIT: new Decimal(amount).negated().toFixed(),
                  }
                : // What had arrived and came back is the client's again, its fee too.
                  totals([{ account: { kind: 'AVAILABLE', walletId: 'w', currency: 'BRL' }, amount: spent }]);
          expect(totals(postings)).toEqual(expected);
        },
      ),
    );
  });

  test('shows the documented statuses alone', () => {
    expect(new Set(Object.values(publicStatus))).toEqual(new Set(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']));
  });
});

describe('a deposit', () => {
  const funds = fc.tuple(amounts, fc.integer({ min: 0, max: 100 })).map(([amount, percent]) => ({
    walletId: 'w',
    currency: 'BRL',
    amount,
    credited: new Decimal(amount).times(percent).dividedBy(100).toFixed(),
    takenBack: '0',
  }));

  test('leaves the client with what was credited and not taken back, and the house with what custody has not, whatever its network says', () => {
    const standings = fc.array(
      fc.tuple(
        fc.oneof(
          fc.record({ amount: amounts, confirmations: fc.integer({ min: 0, max: 6 }), reorganised: fc.boolean() }),
          fc.constantFrom('QUARANTINE' as const, 'REVERSE' as const, 'WRITE_OFF' as const),
        ),
        fc.integer({ min: 0, max: 100 }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(funds, standings, (given, happened) => {
        let now: BookedDeposit = { ...given, state: 'SEEN' };
        const postings: Posting[] = [];
        for (const [one, percent] of happened) {
          const isEarly = typeof one !== 'string' && now.state === 'CONFIRMED' && one.confirmations < 3;
          const event: DepositEvent | undefined =
            typeof one === 'string' ? one : eventOf(now, isEarly ? { ...one, amount: now.amount } : one, 3);
          const state = event === undefined ? undefined : depositMoves[now.state][event];
          if (state === undefined) continue;
          const isNewer = typeof one !== 'string' && event !== 'REVERSE';
          const { amount, credited } = isNewer ? { amount: one.amount, credited: one.amount } : now;
          const isOwed = state === 'QUARANTINED' || state === 'WRITTEN_OFF';
          const takenBack = isOwed ? new Decimal(credited).times(percent).dividedBy(100).toFixed() : '0';
          const after = { ...now, state, amount, credited, takenBack };
          const moved = postingsBetween(now, after);
          expect(moved.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)).isZero()).toBe(true);
          postings.push(...moved);
          now = after;
        }
        const { AVAILABLE: client = '0', CAPITAL: capital = '0', CUSTODY: custody = '0' } = totals(postings);
        const isCredited = now.state !== 'SEEN' && now.state !== 'REVERSED';
        const kept = new Decimal(now.credited).minus(now.takenBack);
        expect(client).toBe(isCredited ? kept.toFixed() : '0');
        // The house bears what is missing as long as it is written off, and no longer.
        expect(capital).toBe(now.state === 'WRITTEN_OFF' ? kept.negated().plus(0).toFixed() : '0');
        if (now.state === 'CONFIRMED') expect(custody).toBe(new Decimal(now.amount).negated().toFixed());
        if (!isCredited || now.state === 'WRITTEN_OFF') expect(custody).toBe('0');
      }),
    );
  });

  test('is confirmed by its last confirmation and not before', () => {
    const standing = { amount: '1', confirmations: 3, reorganised: false };
    const early = { ...standing, confirmations: 2 };
    const event = (state: BookedDeposit['state'], seen: typeof standing) => eventOf({ state, amount: '1' }, seen, 3);
    expect(event('SEEN', early)).toBe('SEE');
    expect(event('SEEN', standing)).toBe('CONFIRM');
    expect(event('REVERSED', early)).toBe('SEE');
    expect(event('CONFIRMED', standing)).toBeUndefined();
    expect(event('CONFIRMED', { ...standing, amount: '1.0' })).toBeUndefined();
    expect(event('CONFIRMED', { ...standing, amount: '1.1' })).toBe('CORRECT');
    expect(() => event('CONFIRMED', { ...early, amount: '1.1' })).toThrow('too few confirmations');
    expect(event('QUARANTINED', { ...standing, confirmations: 0, reorganised: true })).toBeUndefined();
  });

  test('has no state that it cannot leave', () => {
    expect(depositStates.filter((state) => Object.keys(depositMoves[state]).length === 0)).toEqual([]);
  });
});

test('the travel rule holds above its bound, and where no price is known, and without a bound not at all', () => {
  const form = { asset: 'BTC', amount: '0.01', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
  const missing = (value: Decimal | undefined, asset = form) =>
    travelRuleIssues(requireForm(asset, { decimals: 8 }), value, { travelRuleAbove: new Decimal(5_000) }).map(
      ({ path }) => path,
    );
  const fields = ['beneficiaryName', 'beneficiaryTaxId', 'selfCustody'];
  expect(missing(new Decimal('5000'))).toEqual([]);
  expect(missing(new Decimal('5000.01'))).toEqual(fields);
  expect(missing(undefined)).toEqual(fields);
  // Banks know whose accounts these are.
  expect(missing(undefined, { asset: 'BRL', amount: '10', address: 'maria@cliente.example' })).toEqual([]);
  const withoutBound = { travelRuleAbove: undefined };
  for (const value of [undefined, new Decimal('1e9')])
    expect(travelRuleIssues(requireForm(form, { decimals: 8 }), value, withoutBound)).toEqual([]);
});

describe('networks', () => {
  test('the first of a currency is its default, and a name of another currency is none', () => {
    expect(networksOf('USDT').map(({ name }) => name)).toEqual(['ethereum', 'polygon']);
    expect(findNetwork('USDT', null)?.name).toBe('ethereum');
    expect(findNetwork('BTC', 'ethereum')).toBeUndefined();
    expect(findNetwork('DOGE', null)).toBeUndefined();
  });

  test('fees and minimums are decimals, and every minimum is above zero', () => {
    for (const { fee, minimum } of networks) {
      expect(new Decimal(fee).greaterThanOrEqualTo(0)).toBe(true);
      expect(new Decimal(minimum).greaterThan(0)).toBe(true);
    }
  });
});
