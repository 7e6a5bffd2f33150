import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainNumber, styleOfNumber } from './number.js';

const amount = fc.record({
  negative: fc.boolean(),
  whole: fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
  places: fc.stringMatching(/^[0-9]{0,8}$/),
});
type Amount = typeof amount extends fc.Arbitrary<infer T> ? T : never;

const sign = ({ negative }: Amount) => (negative ? '-' : '');
const plain = (one: Amount) => sign(one) + one.whole + (one.places === '' ? '' : `.${one.places}`);
const brazilian = (one: Amount, grouped: boolean) =>
  sign(one) +
  (grouped ? one.whole.replace(/\B(?=(\d{3})+$)/g, '.') : one.whole) +
  (one.places === '' ? '' : `,${one.places}`);

describe('numbers in files', () => {
  test('a Brazilian number is brought to plain form without loss, grouped or not', () => {
    fc.assert(
      fc.property(amount, fc.boolean(), (one, grouped) => {
        expect(plainNumber(brazilian(one, grouped))).toBe(plain(one));
      }),
    );
  });

  test('a number is never taken for the other style: what reads differently in both is distinguished from both', () => {
    fc.assert(
      fc.property(amount, fc.boolean(), (one, grouped) => {
        const styles = { [plain(one)]: 'plain', [brazilian(one, grouped)]: 'brazilian' };
        for (const [text, written] of Object.entries(styles)) {
          const style = styleOfNumber(text);
          expect([written, 'both', 'either']).toContain(style);
          if (style === 'both') expect(plainNumber(text)).toBe(text);
        }
      }),
    );
  });

  test.each([
    ['1234', 'both'],
    ['-12', 'both'],
    ['1.234', 'either'],
    ['999.000', 'either'],
    ['0.125', 'plain'],
    ['1234.567', 'plain'],
    ['1.5', 'plain'],
    ['1.234.567', 'brazilian'],
    ['1,5', 'brazilian'],
    ['1.234,56', 'brazilian'],
    ['1,234.56', 'none'],
    ['1.23.456', 'none'],
    ['R$ 10', 'none'],
    ['1e5', 'none'],
    ['', 'none'],
  ])('%s is %s', (text, style) => {
    expect(styleOfNumber(text)).toBe(style);
  });
});
