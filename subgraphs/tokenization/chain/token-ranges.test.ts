import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joinMovements, nobody, type Movement } from './movement.js';
import { moveTokens } from './token-ranges.js';

const owners = ['0xa', '0xb', '0xc', nobody];

const transfer = fc
  .record({
    from: fc.constantFrom(...owners),
    to: fc.constantFrom(...owners),
    firstTokenId: fc.bigInt(0n, 30n),
    count: fc.bigInt(1n, 12n),
  })
  .map(({ count, ...rest }) => ({ ...rest, lastTokenId: rest.firstTokenId + count - 1n }));

/** The same computation, token by token. */
function naive(transfers: readonly { from: string; to: string; firstTokenId: bigint; lastTokenId: bigint }[]) {
  const owned = new Map<bigint, string>();
  let gaps = 0;
  for (const { from, to, firstTokenId, lastTokenId } of transfers) {
    let good = true;
    for (let token = firstTokenId; token <= lastTokenId; token++) {
      if ((owned.get(token) ?? nobody) !== from) good = false;
      if (to === nobody) owned.delete(token);
      else owned.set(token, to);
    }
    if (!good) gaps += 1;
  }
  return { owned, gaps };
}

function spread(ranges: readonly { first: bigint; last: bigint; owner: string }[]) {
  return new Map(
    ranges.flatMap(({ first, last, owner }) =>
      Array.from({ length: Number(last - first) + 1 }, (_, index) => [first + BigInt(index), owner] as const),
    ),
  );
}

describe('token ranges', () => {
  test('say of every token what a list of single tokens says, and count what does not follow', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 25 }), (transfers) => {
        const { ranges, gaps } = moveTokens([], transfers);
        const expected = naive(transfers);
        expect([...spread(ranges)]).toEqual([...expected.owned].sort(([left], [right]) => Number(left - right)));
        expect(gaps).toBe(expected.gaps);
      }),
      { numRuns: 500 },
    );
  });

  test('are as few as can be: neighbours belong to different owners', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 25 }), (transfers) => {
        const { ranges } = moveTokens([], transfers);
        ranges.slice(1).forEach((range, index) => {
          const before = ranges[index];
          expect(range.first - (before?.last ?? 0n)).toBeGreaterThan(before?.owner === range.owner ? 1n : 0n);
        });
      }),
    );
  });
});

describe('movements', () => {
  const log = (logIndex: number, token: bigint, change: Partial<Movement> = {}): Movement => ({
    contract: '0xc',
    blockNumber: 1n,
    blockHash: '0x1',
    transactionHash: '0xt',
    logIndex,
    from: nobody,
    to: '0xa',
    firstTokenId: token,
    lastTokenId: token,
    ...change,
  });

  test('logs of one act that follow each other are one movement, keyed by the first', () => {
    expect(joinMovements([log(7, 3n), log(5, 1n), log(6, 2n)])).toEqual([{ ...log(5, 1n), lastTokenId: 3n }]);
  });

  test.each([
    ['another log between them', log(7, 2n)],
    ['another transaction', log(6, 2n, { transactionHash: '0xu' })],
    ['another receiver', log(6, 2n, { to: '0xb' })],
    ['another contract', log(6, 2n, { contract: '0xd' })],
    ['ids that do not follow', log(6, 3n)],
  ])('%s keeps them apart', (_name, second) => {
    expect(joinMovements([log(5, 1n), second])).toHaveLength(2);
  });

  test('joining moves the same tokens', () => {
    const made = fc.tuple(transfer, fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(made, { maxLength: 30 }), (list) => {
        const logs = list.map(([{ from, to, firstTokenId, lastTokenId }, tx], index) =>
          log(index, firstTokenId, { from, to, lastTokenId, transactionHash: String(tx) }),
        );
        expect(moveTokens([], joinMovements(logs)).ranges).toEqual(moveTokens([], logs).ranges);
      }),
    );
  });
});
