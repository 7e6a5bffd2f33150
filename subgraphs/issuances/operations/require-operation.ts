import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';

/**
 * Returns the operation with a ticker, ignoring case, public or not: for operators.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireOperation({ manager }: Context, ticker: string): Promise<{ id: string; ticker: string }> {
  const row = await manager.row<{ id: string; ticker: string }>(
    'SELECT id, ticker FROM issuances.operations WHERE lower(ticker) = lower($1)',
    [ticker],
  );
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: `There is no operation ${ticker}` });
  return row;
}
