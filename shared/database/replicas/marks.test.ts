import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMarks } from './marks.js';
import { refusalOf } from './replica.js';

const history = { system: 'a', timeline: 1 };

describe('the marks of the primary', () => {
  test('prove a standby current up to the last mark that it has replayed, and never beyond a commit that it lacks', () => {
    const steps = fc.array(fc.record({ ms: fc.nat(500), bytes: fc.nat(3) }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.bigInt({ min: 0n, max: 100n }), (given, replayed) => {
        const marks = createMarks(60_000);
        let [askedAt, lsn] = [0, 10n];
        const all = given.map(({ ms, bytes }) => {
          [askedAt, lsn] = [askedAt + ms, lsn + BigInt(bytes)];
          marks.add({ ...history, lsn, askedAt });
          return { lsn, askedAt };
        });
        const provedAt = marks.provedAt(replayed);
        const lacking = all.filter((mark) => mark.lsn > replayed);
        for (const mark of lacking) expect(provedAt ?? -1).toBeLessThanOrEqual(mark.askedAt);
        if (lacking.length === 0) expect(provedAt).toBe(askedAt);
      }),
    );
  });

  test('of an idle primary prove a standby current at each of them', () => {
    const marks = createMarks(2_000);
    for (let askedAt = 0; askedAt <= 60_000; askedAt += 500) {
      marks.add({ ...history, lsn: 7n, askedAt });
      expect(marks.provedAt(7n)).toBe(askedAt);
    }
  });

  test('of another history prove nothing: a standby of the old primary may be ahead of the new one', () => {
    const marks = createMarks(60_000);
    marks.add({ ...history, lsn: 90n, askedAt: 0 });
    marks.add({ ...history, timeline: 2, lsn: 95n, askedAt: 1 });
    expect([marks.latest()?.timeline, marks.provedAt(92n), marks.provedAt(95n)]).toEqual([2, undefined, 1]);
  });
});

describe('a server is refused', () => {
  const standby = { ...history, standby: true, replayed: 1n, startedAt: '' };
  test.each([
    ['no standby', { standby: false }, 'is no standby'],
    ['of another system', { system: 'b' }, 'is of another installation'],
    ['of another system, and no standby', { system: 'b', standby: false }, 'is of another installation'],
    ['behind a promoted server', { timeline: 2 }, 'point DATABASE_URL to the new primary'],
    ['not known to follow the new primary', { timeline: 0 }, 'does not show that it follows the new primary'],
  ])('that is %s, with what to do', (_what, change, words) => {
    expect(refusalOf({ ...standby, ...change }, history)).toContain(words);
  });

  test('not when it is a standby of the primary', () => {
    expect(refusalOf(standby, history)).toBeUndefined();
  });
});
