import { describe, expect, test } from '@jest/globals';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import fc from 'fast-check';
import { getAddress } from 'viem/utils';
import { cnpjCheckDigits, cpfCheckDigits } from '../../shared/kernel/tax-id.js';
import { sha256 } from '../../shared/security/crypto.js';
import {
  canonicalAddress,
  type AddressKind,
  pixKeyKind,
} from '../../subgraphs/trading/transfers/addresses/check-address.js';
import { isLostAddress } from '../../subgraphs/trading/transfers/addresses/check-destination.js';
import { deriveAddress } from '../../subgraphs/trading/transfers/custody/simulated/simulated-custody.js';

const base58check = createBase58check((data) => Uint8Array.from(sha256(data)));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));

/** One character of a text replaced by another of an alphabet. */
const slip = (text: string, alphabet: string, from: number) =>
  fc
    .tuple(fc.integer({ min: from, max: text.length - 1 }), fc.constantFrom(...Array.from(alphabet)))
    .map(([at, other]) => text.slice(0, at) + other + text.slice(at + 1))
    .filter((other) => other !== text);

describe('addresses of Ethereum and its kin', () => {
  // EIP-55, Test Cases.
  test.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s of the standard is taken', (address) => {
    expect(canonicalAddress('EVM', address)).toBe(getAddress(address));
  });

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
    ['EVM', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
    ['EVM', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['EVM', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
    ['EVM', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
    ['EVM', '0x6B175474E89094C44Da98b954EedeAC495271d0F'],
    ['EVM', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'],
    ['EVM', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'],
    ['EVM', '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619'],
    ['EVM', '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270'],
    ['EVM', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['EVM', '0x000000000000000000000000000000000000dEaD'],
    ['EVM', '0x0000000000000000000000000000000000000001'],
    ['EVM', '0x0000000000000000000000000000000000001010'],
    ['EVM', '0xdEAD000000000000000042069420694206942069'],
    ['EVM', '0x1111111111111111111111111111111111111111'],
    ['EVM', '0xffffffffffffffffffffffffffffffffffffffff'],
    ['EVM', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
    ['EVM', '0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef'],
    ['BITCOIN', '1BitcoinEaterAddressDontSendf59kuE'],
    ['BITCOIN', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr'],
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
    ['+351912345678', 'PHONE'],
    ['+599', 'PHONE'],
    ['+5491123456789', 'PHONE'],
    ['+1234567890123456', 'PHONE'],
    ['123e4567-e12b-42d1-a456-426655440000', 'EVP'],
  ])('%s is a %s', (key, kind) => {
    expect(pixKeyKind(key)).toBe(kind);
    expect(canonicalAddress('PIX', key)).toBe(key);
  });

  test.each([
    '52998224726',
    '529.982.247-25',
    '11111111111',
    '5511912345678',
    '+5511012345678',
    '+5501912345678',
    '+5511',
    '+55119123456789',
    '+0123456789',
    '+12',
    '+12345678901234567',
    '14155552671',
    '+1-415-555-2671',
    '+1 2025550123',
    'maria@',
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

  test('of all check digits of a tax id the right ones alone are taken', () => {
    fc.assert(
      fc.property(fc.oneof(digits(9), digits(12)), digits(2), (base, given) => {
        const right = base.length === 9 ? cpfCheckDigits(base) : cnpjCheckDigits(base);
        fc.pre(!/^(.)\1*$/.test(base + given));
        expect(canonicalAddress('PIX', base + given)).toBe(given === right ? base + given : undefined);
      }),
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
