/** A transfer of tokens of one contract, from one log or from consecutive logs. Ids are inclusive. */
export interface Movement {
  /** Lower case. */
  readonly contract: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly transactionHash: string;
  /** Index of its first log within the block. */
  readonly logIndex: number;
  /** The zero address for a mint. */
  readonly from: string;
  /** The zero address for a burn. */
  readonly to: string;
  readonly firstTokenId: bigint;
  readonly lastTokenId: bigint;
}

export const nobody = `0x${'0'.repeat(40)}`;

export type MovementType = 'MINT' | 'TRANSFER' | 'BURN';

export function typeOf({ from, to }: Pick<Movement, 'from' | 'to'>): MovementType {
  if (from === nobody) return 'MINT';
  return to === nobody ? 'BURN' : 'TRANSFER';
}

/** Joins movements in chain order: ERC-721A writes one log per token when it mints or transfers many, and together they are one event. */
export function joinMovements(movements: readonly Movement[]): Movement[] {
  const ordered = movements.toSorted(
    (left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex,
  );
  const joined: Movement[] = [];
  let lastLog = -1;
  for (const movement of ordered) {
    const before = joined.at(-1);
    if (before !== undefined && movement.logIndex === lastLog + 1 && continues(before, movement)) {
      joined[joined.length - 1] = { ...before, lastTokenId: movement.lastTokenId };
    } else joined.push(movement);
    lastLog = movement.logIndex;
  }
  return joined;
}

function continues(before: Movement, next: Movement): boolean {
  return (
    next.transactionHash === before.transactionHash &&
    next.contract === before.contract &&
    next.from === before.from &&
    next.to === before.to &&
    next.firstTokenId === before.lastTokenId + 1n
  );
}
