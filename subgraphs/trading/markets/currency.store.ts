import type { Context } from '../../../shared/context.js';

/** What can be held, as it is stored. */
export interface CurrencyRow {
  readonly code: string;
  /** Decimals of an amount that a client holds. */
  readonly decimals: number;
  readonly fiat: boolean;
}

/** Every currency, by code. */
export function listCurrencies({ manager }: Context): Promise<CurrencyRow[]> {
  return manager.query('SELECT code, decimals, fiat FROM trading.currencies ORDER BY code');
}

/** Adds a currency; false where there is one of the code. */
export async function insertCurrency({ manager }: Context, { code, decimals, fiat }: CurrencyRow): Promise<boolean> {
  const added: unknown[] = await manager.query(
    'INSERT INTO trading.currencies (code, decimals, fiat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING code',
    [code, decimals, fiat],
  );
  return added.length > 0;
}
