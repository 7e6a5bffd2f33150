import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../../shared/kernel/context.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { keepFindings } from '../../ledger/findings.acts.js';
import { readPosition } from '../deposits/deposit.store.js';
import type { Custody } from './custody.js';

/** Looks in a row at books that change meanwhile; the next minute tries again. */
const mostLooks = 5;

/** A difference that no transfer under way explains is the finding `CUSTODY_BALANCE`. Does nothing without custody, or while it has changes that the house has not read. */
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

/** Bounds by the books for custody's holdings of a currency: decimal text. */
interface CustodyBooks {
  readonly currency: string;
  /** Without what it may have sent already, and without the part of reversed deposits that clients still owe. */
  readonly least: string;
  /** With what it may have got back already, and with deposits that are not credited yet. */
  readonly most: string;
}

/** Reads the books about the real funds in custody, in one snapshot. In the ledger the house's holdings are negative. */
function readCustodyBooks({ manager }: Context): Promise<CustodyBooks[]> {
  return manager.rows(
    `WITH change AS (
       SELECT currency, -balance AS least, -balance AS most FROM trading.ledger_accounts WHERE kind = 'CUSTODY' AND NOT synthetic
       UNION ALL
       SELECT currency, -amount, 0 FROM trading.withdrawals WHERE NOT synthetic AND state IN ('SENDING', 'QUARANTINED')
       UNION ALL
       SELECT currency, 0, amount FROM trading.withdrawals WHERE NOT synthetic AND state IN ('SENT', 'UNCONFIRMED')
       UNION ALL
       SELECT currency, CASE state WHEN 'QUARANTINED' THEN taken_back - amount ELSE 0 END,
         CASE WHEN reorganised THEN 0 ELSE amount END
       FROM trading.deposits WHERE NOT synthetic AND state <> 'CONFIRMED' AND (state = 'QUARANTINED' OR NOT reorganised)
     )
     SELECT currency, trim_scale(sum(least))::text AS least, trim_scale(sum(most))::text AS most FROM change GROUP BY currency ORDER BY currency`,
  );
}
