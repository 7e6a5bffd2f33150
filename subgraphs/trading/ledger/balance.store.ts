import type { Context } from '../../../shared/kernel/context.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Balance } from './finding.type.js';

/** The wallet whose accounts are read. */
export interface WalletRef {
  readonly id: string;
  readonly synthetic: boolean;
}

/** A wallet's balance in one currency: decimal text with the currency's decimals. */
export type BalanceRow = Shape<Balance>;

/** Lists the balances of a wallet in every currency, by code. */
export function listBalances({ manager }: Context, { id, synthetic }: WalletRef): Promise<BalanceRow[]> {
  return manager.rows(
    `SELECT currency.code AS currency, round(coalesce(available.balance, 0), decimals)::text AS available,
       round(coalesce(locked.balance, 0), decimals)::text AS locked,
       round(coalesce(available.balance, 0) + coalesce(locked.balance, 0), decimals)::text AS total
     FROM trading.currencies AS currency
     LEFT JOIN trading.ledger_accounts AS available ON ${accountOf('available', 'AVAILABLE')}
     LEFT JOIN trading.ledger_accounts AS locked ON ${accountOf('locked', 'LOCKED')}
     ORDER BY code`,
    [id, synthetic],
  );
}

/** Lists the balances of a wallet at a time, including postings at exactly that time. */
export function listBalancesAt({ manager }: Context, { id, synthetic }: WalletRef, asOf: Date): Promise<BalanceRow[]> {
  const last = (account: string) =>
    `coalesce((SELECT balance FROM trading.entries WHERE account_id = ${account}.id AND posted_at <= $3
       ORDER BY posted_at DESC LIMIT 1), 0)`;
  return manager.rows(
    `SELECT code AS currency, round(available, decimals)::text AS available, round(locked, decimals)::text AS locked,
       round(available + locked, decimals)::text AS total
     FROM (
       SELECT currency.code, currency.decimals, ${last('available')} AS available, ${last('locked')} AS locked
       FROM trading.currencies AS currency
       LEFT JOIN trading.ledger_accounts AS available ON ${accountOf('available', 'AVAILABLE')}
       LEFT JOIN trading.ledger_accounts AS locked ON ${accountOf('locked', 'LOCKED')}
     ) AS balance ORDER BY code`,
    [id, synthetic, asOf],
  );
}

/** Returns the available balances of wallets, one currency each, in their order; 0 for an account without postings. */
export function listAvailable(
  { manager }: Context,
  of: readonly { readonly walletId: string; readonly synthetic: boolean; readonly currency: string }[],
): Promise<string[]> {
  return manager.values(
    `SELECT coalesce(balance, 0) AS balance
     FROM unnest((SELECT $1::text[]), $2::text[], $3::boolean[]) WITH ORDINALITY AS wanted (owner, currency, synthetic, position)
     LEFT JOIN trading.ledger_accounts AS account ON account.owner = wanted.owner AND account.kind = 'AVAILABLE'
       AND account.currency = wanted.currency AND account.synthetic = wanted.synthetic AND account.stripe = 0
     ORDER BY position`,
    [of.map(({ walletId }) => walletId), of.map(({ currency }) => currency), of.map(({ synthetic }) => synthetic)],
  );
}

/** Returns the SQL condition of a wallet's account of a kind, in the currency of the row. */
function accountOf(name: string, kind: 'AVAILABLE' | 'LOCKED'): string {
  return `${name}.owner = $1::text AND ${name}.kind = '${kind}' AND ${name}.currency = currency.code
    AND ${name}.synthetic = $2 AND ${name}.stripe = 0`;
}
