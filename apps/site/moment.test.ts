import { expect, test } from '@jest/globals';
import { asOfOf, instantOf, saoPauloTime } from './moment.js';

test('a day and time is that of São Paulo, with the daylight saving time of its year; with Z it is that of UTC', () => {
  expect(instantOf('2026-11-01T09:00')).toBe('2026-11-01T12:00:00.000Z');
  expect(instantOf('2026-11-01T09:00:30')).toBe('2026-11-01T12:00:30.000Z');
  expect(instantOf('2018-12-01T09:00')).toBe('2018-12-01T11:00:00.000Z');
  expect(instantOf('2026-11-01T12:00:00Z')).toBe('2026-11-01T12:00:00.000Z');
  expect(saoPauloTime('2026-11-01T02:30:00Z')).toBe('2026-10-31T23:30');
});

test('what is no moment is an error, and its absence is none', () => {
  for (const typed of ['ontem', '2026-02-30T09:00', '2026-11-01', '2026-11-01T25:00', '2026-11-01T09:00-03:00'])
    expect([typed, asOfOf(typed).error]).toEqual([typed, 'moment']);
  expect(asOfOf(undefined)).toEqual({ typed: undefined, instant: undefined, error: undefined });
});
