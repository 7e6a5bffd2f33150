import { describe, expect, test } from '@jest/globals';
import { withPrice } from '../../apps/panel/trading/live-candle.js';

const candleAt = (timestamp: string) => ({ timestamp, open: '10', high: '12', low: '9', close: '11', volume: '3' });
const candles = [candleAt('2026-03-02T10:00:00.000Z'), candleAt('2026-03-02T11:00:00.000Z')];
const [first, last] = candles;

describe('The candles of a market page', () => {
  test('the last one follows the price, and its extremes stay', () => {
    expect(withPrice(candles, '1h', '12.5', '2026-03-02T11:59:59.999Z')).toEqual([
      first,
      { ...last, high: '12.5', close: '12.5' },
    ]);
    expect(withPrice(candles, '1h', '8.5', '2026-03-02T11:00:00.000Z')).toEqual([
      first,
      { ...last, low: '8.5', close: '8.5' },
    ]);
    expect(withPrice(candles, '1h', '9.5', '2026-03-02T11:30:00.000Z')).toEqual([first, { ...last, close: '9.5' }]);
  });

  test.each([
    ['1h', '2026-03-02T12:00:00.000Z', '2026-03-02T12:00:00.000Z'],
    ['1h', '2026-03-02T14:10:00.000Z', '2026-03-02T14:00:00.000Z'],
    ['4h', '2026-03-02T15:00:01.000Z', '2026-03-02T15:00:00.000Z'],
    ['1d', '2026-03-03T23:00:00.000Z', '2026-03-03T11:00:00.000Z'],
    ['1w', '2026-03-09T11:00:00.000Z', '2026-03-09T11:00:00.000Z'],
  ] as const)('a price after the end of the last one begins a new one: %s, %s', (interval, timestamp, begun) => {
    expect(withPrice(candles, interval, '13', timestamp)).toEqual([
      last,
      { timestamp: begun, open: '13', high: '13', low: '13', close: '13', volume: '0' },
    ]);
  });

  test('a price of before the last one, and one without candles, change nothing', () => {
    expect(withPrice(candles, '1h', '13', '2026-03-02T10:59:59.999Z')).toBe(candles);
    expect(withPrice([], '1h', '13', '2026-03-02T10:59:59.999Z')).toEqual([]);
  });
});
