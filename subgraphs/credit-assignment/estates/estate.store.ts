import type { Context } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';

/** An estate, as other rows here name it. */
export interface Estate {
  readonly id: string;
  readonly ticker: string;
  readonly name: string;
}

/** Stores estates, each once and in one order for everyone, or what they are called now. */
export async function saveEstates({ manager }: Context, estates: readonly Estate[]): Promise<void> {
  await manager.query(
    `INSERT INTO credit_assignment.estates (id, ticker, name)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS estate (id, ticker, name) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET ticker = excluded.ticker, name = excluded.name`,
    [estates.map(({ id }) => id), estates.map(({ ticker }) => ticker), estates.map(({ name }) => name)],
  );
}

export async function findEstate({ manager }: Context, id: string): Promise<Estate | undefined> {
  const rows: Estate[] = await manager.query('SELECT id, ticker, name FROM credit_assignment.estates WHERE id = $1', [
    id,
  ]);
  return rows[0];
}

/** The estate that is named by its id or its ticker. */
export async function findEstateNamed({ manager }: Context, idOrTicker: string): Promise<Estate | undefined> {
  const rows: Estate[] = await manager.query(
    `SELECT id, ticker, name FROM credit_assignment.estates WHERE id = $1 OR lower(ticker) = lower($2) LIMIT 1`,
    [isUuid(idOrTicker) ? idOrTicker : null, idOrTicker],
  );
  return rows[0];
}
