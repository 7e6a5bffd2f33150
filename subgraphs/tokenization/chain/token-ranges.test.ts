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

test('token ranges are as few as can be: neighbours belong to different owners', () => {
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
});
