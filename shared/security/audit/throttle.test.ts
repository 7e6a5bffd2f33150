import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AuditEntry } from './entry.js';
import { auditEntry } from '../../../tests/kit/audit-entry.js';
import { createThrottle, kindsCounted, writtenOfAKind, writtenOfAll } from './throttle.js';

const entry = (over: Partial<AuditEntry> = {}) =>
  auditEntry({ actorKind: 'ANONYMOUS', actorId: '203.0.113.7', credentialId: '203.0.113.7', action: 'login', ...over });

const from = (address: string) => entry({ actorId: address, credentialId: address, source: address });

/** More kinds, and more entries, than a minute admits. */
function flood(take: (kind: number) => void): void {
  for (let n = 0; n < 2 * writtenOfAll; n += 1) take(n % (2 * kindsCounted));
}

const login = { action: 'operatorLogin', outcome: 'DONE', source: '198.51.100.77' } as const;
const session = { actorKind: 'SESSION', actorId: 'account', credentialId: 'session' } as const;

describe('a flood of refusals', () => {
  test.each<[string, Partial<AuditEntry>]>([
    ['an operator’s login', { ...login, actorKind: 'OPERATOR', actorId: 'olga' }],
    ['an operator’s refusal', { ...login, actorKind: 'OPERATOR', actorId: 'olga', outcome: 'REFUSED' }],
    ['an account’s login', { ...login, ...session, action: 'login' }],
    ['an account’s refusal', { ...login, ...session, outcome: 'REFUSED' }],
    ['what an anonymous caller has done', login],
  ])('of anonymous callers does not keep %s from a new address out', (_what, over) => {
    const throttle = createThrottle();
    flood((n) => throttle.take(from(`10.0.${n >> 8}.${n & 255}`), 0));
    expect(throttle.take(entry(over), 1)).toEqual([entry(over)]);
  });

  test('of accounts does not keep an operator’s login out', () => {
    const throttle = createThrottle();
    flood((n) => throttle.take(entry({ ...session, actorId: `account ${n}` }), 0));
    const noted = entry({ ...login, actorKind: 'OPERATOR', actorId: 'olga' });
    expect(throttle.take(noted, 1)).toEqual([noted]);
  });

  test('from many addresses of one network is of one kind', () => {
    const throttle = createThrottle();
    const taken = Array.from({ length: 1_000 }, (_, n) => throttle.take(from(`2001:db8:1:2::${n.toString(16)}`), 0));
    expect(taken.flat()).toHaveLength(writtenOfAKind);
    expect(throttle.due(60_000)).toMatchObject([{ actorKind: 'ANONYMOUS', occurrences: 1_000 - writtenOfAKind }]);
  });

  test('is written one by one at first, and then counted once a minute, for each source by itself', () => {
    const throttle = createThrottle();
    const taken = Array.from({ length: 1_000 }, () => throttle.take(entry(), 0)).flat();
    expect(taken).toHaveLength(writtenOfAKind);
    expect(throttle.take(from('198.51.100.1'), 1)).toHaveLength(1);
    expect(throttle.take(entry(), 60_000)).toEqual([entry({ occurrences: 1_000 - writtenOfAKind }), entry()]);
  });

  test('loses none of them in the sum, and never writes more than its bounds a minute', () => {
    const moments = fc.array(
      fc.record({ source: fc.integer({ min: 0, max: 600 }), times: fc.integer({ min: 1, max: 40 }) }),
      { maxLength: 900 },
    );
    fc.assert(
      fc.property(moments, (all) => {
        const throttle = createThrottle();
        const rows: AuditEntry[] = [];
        let given = 0;
        for (const { source, times } of all) {
          for (let n = 0; n < times; n += 1) rows.push(...throttle.take(from(String(source)), 0));
          given += times;
        }
        expect(rows.length).toBeLessThanOrEqual(writtenOfAll);
        const counts = throttle.due(60_000);
        expect(counts.length).toBeLessThanOrEqual(kindsCounted + 1);
        expect([...rows, ...counts].reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(given);
        expect(throttle.due(120_000, true)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
