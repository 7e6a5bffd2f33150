import type { Context } from '../../../shared/context.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { Currency } from './currency.type.js';

/** A currency that can be held, as it is stored. */
export type CurrencyRow = Shape<Currency>;

/** Lists all currencies, by code. */
export function listCurrencies({ manager }: Context): Promise<CurrencyRow[]> {
  return manager.rows('SELECT code, decimals, fiat FROM trading.currencies ORDER BY code');
}

/** Inserts a currency; returns false if the code exists. */
export async function insertCurrency({ manager }: Context, { code, decimals, fiat }: CurrencyRow): Promise<boolean> {
  return manager.changes(
    'INSERT INTO trading.currencies (code, decimals, fiat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [code, decimals, fiat],
  );
}
