import type { Context } from '../../../shared/context.js';
import { postJournals, type Journal } from '../ledger/post-journals.js';
import type { VenueBalance } from './venue.js';

/**
 * Puts what the house has at a venue into the books: its own capital. Doing it again with the same balances changes nothing.
 * @throws outside of `inTransaction`
 */
export async function bookCapital(
  tx: Context,
  { name, synthetic }: { readonly name: string; readonly synthetic: boolean },
  balances: readonly VenueBalance[],
): Promise<void> {
  const journals: Journal[] = balances.flatMap(({ currency, available, locked }) => {
    const amount = available.plus(locked);
    if (amount.isZero()) return [];
    return {
      key: `venue.capital:${name}:${currency}`,
      cause: 'venue.capital',
      causeId: name,
      synthetic,
      postings: [
        { account: { kind: 'CAPITAL', currency }, amount },
        { account: { kind: 'VENUE', venue: name, currency }, amount: amount.negated() },
      ],
    };
  });
  await postJournals(tx, journals);
}
