import { describe, expect, test } from '@jest/globals';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import fc from 'fast-check';
import { getAddress } from 'viem/utils';
import { sha256 } from '../../../shared/security/crypto.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Posting } from '../../../subgraphs/trading/ledger/post-journals.js';
import {
  depositMoves,
  depositStates,
  eventOf,
  postingsBetween,
  type BookedDeposit,
  type DepositEvent,
} from '../../../subgraphs/trading/transfers/deposits/deposit.js';
import {
  canonicalAddress,
  pixKeyKind,
  type AddressKind,
} from '../../../subgraphs/trading/transfers/addresses/check-address.js';
import { isLostAddress } from '../../../subgraphs/trading/transfers/addresses/check-destination.js';
import { deriveAddress } from '../../../subgraphs/trading/transfers/custody/simulated/simulated-custody.js';
import { requireForm, travelRuleIssues } from '../../../subgraphs/trading/transfers/withdrawals/withdrawals.acts.js';
import {
  heldAmount,
  journalOf,
  transition,
  withdrawalStates,
  withdrawalTransitions,
  type WithdrawalEvent,
  type WithdrawalState,
} from '../../../subgraphs/trading/transfers/withdrawals/withdrawal.js';

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

const base58check = createBase58check((data) => Uint8Array.from(sha256(data)));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** One character of a text replaced by another of an alphabet. */
const slip = (text: string, alphabet: string, from: number) =>
  fc
    .tuple(fc.integer({ min: from, max: text.length - 1 }), fc.constantFrom(...Array.from(alphabet)))
    .map(([at, other]) => text.slice(0, at) + other + text.slice(at + 1))
    .filter((other) => other !== text);

describe('addresses of Ethereum and its kin', () => {
  test('one of one case gets the checksum that viem computes, and any other case of it is refused', () => {
    fc.assert(
      fc.property(bytes(20), fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (raw, capitals) => {
        const hex = Buffer.from(raw).toString('hex');
        fc.pre(!/^0+$/.test(hex));
        const right = getAddress(`0x${hex}`);
        expect(canonicalAddress('EVM', `0x${hex}`)).toBe(right);
        expect(canonicalAddress('EVM', `0x${hex.toUpperCase()}`)).toBe(right);
        const cased = `0x${Array.from(hex, (digit, at) => (capitals[at] === true ? digit.toUpperCase() : digit)).join('')}`;
        const isOneCase = cased === `0x${hex}` || cased === `0x${hex.toUpperCase()}`;
        expect(canonicalAddress('EVM', cased)).toBe(isOneCase || cased === right ? right : undefined);
      }),
    );
  });

  test.each(['', '0x', `0x${'0'.repeat(40)}`, `0X${'a'.repeat(40)}`, `0x${'a'.repeat(39)}`, `0x${'a'.repeat(41)}`])(
    '"%s" is refused',
    (address) => {
      expect(canonicalAddress('EVM', address)).toBeUndefined();
    },
  );
});

describe('addresses of bitcoin', () => {
  test.each([
    // BIP 173 and BIP 350, test vectors; the first address ever used.
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    ],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ])('%s is taken', (address, canonical) => {
    expect(canonicalAddress('BITCOIN', address)).toBe(canonical);
  });

  test.each([
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'of the test network'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'of witness version 2'],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'of version 1 with Bech32 instead of Bech32m'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'of version 0 with Bech32m instead of Bech32'],
    ['bc1rw5uspcuf', 'with a program of 1 byte'],
    ['bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'of mixed case'],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'of the test network'],
    ['bc1pfeessrawgf', 'that anybody can spend'],
    ['', 'that is empty'],
  ])('%s, one %s, is refused', (address) => {
    expect(canonicalAddress('BITCOIN', address)).toBeUndefined();
  });

  test('every hash has an address of each kind, and no address with one wrong character is taken', () => {
    const addresses = fc.oneof(
      fc
        .tuple(fc.constantFrom(0x00, 0x05), bytes(20))
        .map(([version, hash]) => base58check.encode(Uint8Array.of(version, ...hash))),
      fc.oneof(bytes(20), bytes(32)).map((program) => bech32.encode('bc', [0, ...bech32.toWords(program)])),
      bytes(32).map((program) => bech32m.encode('bc', [1, ...bech32m.toWords(program)])),
    );
    const wrong = addresses.chain((address) =>
      fc.tuple(
        fc.constant(address),
        address.startsWith('bc1')
          ? slip(address, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l', 3)
          : slip(address, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 0),
      ),
    );
    fc.assert(
      fc.property(wrong, ([address, other]) => {
        expect(canonicalAddress('BITCOIN', address)).toBe(address);
        expect(canonicalAddress('BITCOIN', other)).toBeUndefined();
      }),
    );
  });

  test('an address with a right checksum and another version or length is refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 40 }), (version, hash) => {
        fc.pre(!((version === 0x00 || version === 0x05) && hash.length === 20));
        expect(canonicalAddress('BITCOIN', base58check.encode(Uint8Array.of(version, ...hash)))).toBeUndefined();
      }),
    );
  });

  test('hostile texts are refused and never thrown at', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.uint8Array().map((raw) => base58.encode(raw)),
          fc.string().map((text) => `bc1${text}`),
        ),
        (text) => {
          expect(canonicalAddress('BITCOIN', text)).toBeUndefined();
        },
      ),
    );
  });
});

describe('addresses from which nothing comes back', () => {
  test.each([
    ['EVM', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    ['EVM', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['EVM', '0x000000000000000000000000000000000000dEaD'],
    ['EVM', '0x0000000000000000000000000000000000001010'],
    ['EVM', '0xdEAD000000000000000042069420694206942069'],
    ['EVM', '0xffffffffffffffffffffffffffffffffffffffff'],
    ['EVM', '0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef'],
    ['BITCOIN', '1BitcoinEaterAddressDontSendf59kuE'],
    ['BITCOIN', '1111111111111111111114oLvT2'],
    ...[0x00, 0x05].flatMap((version) =>
      [0x00, 0xff].map(
        (byte) => ['BITCOIN', base58check.encode(Uint8Array.of(version, ...Array<number>(20).fill(byte)))] as const,
      ),
    ),
    ...[0x00, 0xff].flatMap((byte) => [
      ['BITCOIN', bech32.encode('bc', [0, ...bech32.toWords(new Uint8Array(20).fill(byte))])] as const,
      ['BITCOIN', bech32.encode('bc', [0, ...bech32.toWords(new Uint8Array(32).fill(byte))])] as const,
      ['BITCOIN', bech32m.encode('bc', [1, ...bech32m.toWords(new Uint8Array(32).fill(byte))])] as const,
    ]),
  ] as const)('%s %s is one', (kind, address) => {
    expect(isLostAddress(kind, canonicalAddress(kind, address) ?? '')).toBe(true);
  });

  test.each([
    ['EVM', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['EVM', '0x000000000000Ad05Ccc4F10045630fb830B95127'],
    ['BITCOIN', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['PIX', '123e4567-e89b-42d3-a456-426614174000'],
  ] as const)('%s %s is none', (kind, address) => {
    expect(isLostAddress(kind, address)).toBe(false);
  });

  test('no address of a key that anybody drew at random is one', () => {
    fc.assert(
      fc.property(bytes(20), fc.constantFrom('EVM' as const, 'BITCOIN' as const), (raw, kind) => {
        expect(isLostAddress(kind, deriveAddress(kind, Buffer.from(raw).toString('hex')))).toBe(false);
      }),
    );
  });
});

describe('PIX keys', () => {
  test.each([
    ['52998224725', 'CPF'],
    ['11222333000181', 'CNPJ'],
    ['12ABC34501DE35', 'CNPJ'],
    ['maria.oliveira@cliente.example', 'EMAIL'],
    ['+5511912345678', 'PHONE'],
    ['+551132345678', 'PHONE'],
    ['+14155552671', 'PHONE'],
    ['123e4567-e12b-42d1-a456-426655440000', 'EVP'],
  ])('%s is a %s', (key, kind) => {
    expect(pixKeyKind(key)).toBe(kind);
    expect(canonicalAddress('PIX', key)).toBe(key);
  });

  test.each([
    '529.982.247-25',
    '11111111111',
    '52998224726',
    '+1 2025550123',
    'maria@cliente',
    `${'a'.repeat(70)}@b.example`,
    '00000000-0000-0000-0000-000000000000',
    '123e4567e12b42d1a456426655440000',
    '',
  ])('%s is none', (key) => {
    expect(canonicalAddress('PIX', key)).toBeUndefined();
  });

  test('phones of other countries are as the directory has them, and those of Brazil of its stricter form', () => {
    const number = fc.stringMatching(/^\+[0-9]{1,18}$/);
    fc.assert(
      fc.property(
        fc.oneof(
          number,
          number.map((text) => `+55${text.slice(1)}`),
        ),
        (text) => {
          const isBrazilian = text.startsWith('+55');
          const form = isBrazilian ? /^\+55[1-9]{2}([2-8]\d{7}|9\d{8})$/ : /^\+[1-9][0-9]\d{1,14}$/;
          expect(canonicalAddress('PIX', text)).toBe(form.test(text) ? text : undefined);
        },
      ),
    );
  });

  test('e-mails and random keys are in lower case in the directory', () => {
    expect(canonicalAddress('PIX', 'Maria@Cliente.EXAMPLE')).toBe('maria@cliente.example');
    expect(canonicalAddress('PIX', '123E4567-E12B-42D1-A456-426655440000')).toBe(
      '123e4567-e12b-42d1-a456-426655440000',
    );
  });
});

test.each([
  ['001/1234-5/123456-7', '001/1234-5/123456-7'],
  ['341/0001/12345-x', '341/0001/12345-X'],
  ['341/0001/000012345-6', '341/0001/12345-6'],
  ['341/0001/0-0', '341/0001/0-0'],
  ['341/0001/12345', undefined],
  ['1/0001/12345-6', undefined],
  ['341-0001-12345-6', undefined],
])('the bank account %s is read as %s', (text, canonical) => {
  expect(canonicalAddress('BANK_ACCOUNT', text)).toBe(canonical);
});

test('every address that the simulated provider makes is canonical, and follows from the id alone', () => {
  const kinds: readonly AddressKind[] = ['EVM', 'BITCOIN', 'PIX', 'BANK_ACCOUNT'];
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(...kinds), (id, kind) => {
      const address = deriveAddress(kind, id);
      expect(canonicalAddress(kind, address)).toBe(address);
      expect(deriveAddress(kind, id)).toBe(address);
    }),
  );
});
