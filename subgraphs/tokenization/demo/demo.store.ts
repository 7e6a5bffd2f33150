import type { Context } from '../../../shared/context.js';

/** What estates there are: since when, whether they are those of the demo, and whether the demo is whole. */
export interface Begun {
  readonly at: Date;
  readonly isDemo: boolean;
  readonly isWhole: boolean;
}

/** Looks for estates; undefined where there are none. Only a whole demo has a series that is closed. */
export async function findBegun({ manager }: Context): Promise<Begun | undefined> {
  const [begun]: Begun[] = await manager.query(
    `SELECT min(created_at) AS at, bool_or(ticker = 'PAT-AURORA') AS "isDemo",
       EXISTS (SELECT FROM tokenization.tranches WHERE status = 'CLOSED') AS "isWhole"
     FROM tokenization.patrimonies HAVING count(*) > 0`,
  );
  return begun;
}
