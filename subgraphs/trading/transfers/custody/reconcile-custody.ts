import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../../shared/kernel/context.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { keepFindings } from '../../ledger/findings.acts.js';
import { readPosition } from '../deposits/deposit.store.js';
import type { Custody } from './custody.js';
import { readCustodyBooks, type CustodyBooks } from './custody-books.store.js';

/** Looks in a row at books that change meanwhile; the next minute tries again. */
const mostLooks = 5;

/**
 * Compares what custody holds with the ledger. A difference that no transfer under way explains is a finding, `CUSTODY_BALANCE`: a withdrawal that is said to
 * have come back, and did not, is one. Does nothing where no custody is connected, or while it has changes that the house has not read.
 */
export async function reconcileCustody(context: Context, custody: Custody | undefined): Promise<void> {
  if (custody === undefined) return;
  for (let look = 1; look <= mostLooks; look += 1) {
    const books = await readCustodyBooks(context);
    const held = await custody.balances(context);
    const { sightings } = await custody.readDeposits(context, await readPosition(context, false), 1);
    if (sightings.length > 0 || !isDeepStrictEqual(await readCustodyBooks(context), books)) continue;
    await keepFindings(context, differencesOf(books, held));
    return;
  }
}

function differencesOf(books: readonly CustodyBooks[], held: ReadonlyMap<string, string>) {
  const known = new Map(books.map((one) => [one.currency, one]));
  return [...new Set([...known.keys(), ...held.keys()])].flatMap((currency) => {
    const { least = '0', most = '0' } = known.get(currency) ?? {};
    const actual = new Decimal(held.get(currency) ?? 0);
    if (actual.greaterThanOrEqualTo(least) && actual.lessThanOrEqualTo(most)) return [];
    const expected = new Decimal(least).equals(most) ? least : `${least} to ${most}`;
    return [
      {
        invariant: 'CUSTODY_BALANCE' as const,
        currency,
        synthetic: false,
        subject: 'custody',
        expected,
        actual: actual.toFixed(),
      },
    ];
  });
}
