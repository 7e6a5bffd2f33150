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
