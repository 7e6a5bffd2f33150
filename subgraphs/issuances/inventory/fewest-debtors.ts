import type { InventoryContract } from './generalize.js';

type Numbered = Pick<InventoryContract, 'id' | 'debtor'>;

/**
 * Returns contracts of the past with as few debtors as their tax ids of then or those of now say: two contracts are of one debtor if they were then, or
 * are now. A person who had several tax ids by mistake does not count as several.
 * @param current the same contracts in the present; those that are missing there keep their debtor of then
 */
export function withFewestDebtors<Contract extends Numbered>(
  then: readonly Contract[],
  current: readonly Numbered[],
): Contract[] {
  const debtorNow = new Map(current.map(({ id, debtor }) => [id, debtor]));
  // Debtors of then have even numbers, those of now odd ones. Each is known by itself, or by the one that it was found to be.
  const known = new Map<number, number>();
  const oneOf = (debtor: number): number => {
    let one = debtor;
    for (let next = known.get(one); next !== undefined; next = known.get(one)) one = next;
    // The next search is short.
    if (one !== debtor) known.set(debtor, one);
    return one;
  };
  for (const { id, debtor } of then) {
    const now = debtorNow.get(id);
    if (now === undefined) continue;
    const [left, right] = [oneOf(2 * debtor), oneOf(2 * now + 1)];
    if (left !== right) known.set(left, right);
  }
  return then.map((contract) => ({ ...contract, debtor: oneOf(2 * contract.debtor) }));
}
