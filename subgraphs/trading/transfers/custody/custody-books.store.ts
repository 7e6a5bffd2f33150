import type { Context } from '../../../../shared/kernel/context.js';

/** What custody may hold of a currency by the books: decimal text. */
export interface CustodyBooks {
  readonly currency: string;
  /** Without what it may have sent already, and without the part of reversed deposits that clients still owe. */
  readonly least: string;
  /** With what it may have got back already, and with deposits that are not credited yet. */
  readonly most: string;
}

/** Reads the books about the real funds in custody, in one snapshot. In the ledger the house's holdings are negative. */
export function readCustodyBooks({ manager }: Context): Promise<CustodyBooks[]> {
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
