import type { Context } from '../../../shared/kernel/context.js';
import { findPosted } from '../ledger/ledger.store.js';
import { postJournals, type Journal } from '../ledger/post-journals.js';
import type { VenueBalance } from './venue.js';

/**
 * Posts the house's own capital at a venue, once. Later trades there are posted with each fill.
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
  const posted = await findPosted(
    tx,
    journals.map(({ key }) => key),
  );
  await postJournals(
    tx,
    journals.filter(({ key }) => !posted.has(key)),
  );
}
