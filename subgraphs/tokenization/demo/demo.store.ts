import type { Context } from '../../../shared/kernel/context.js';

/** The existing estates: since when they exist, whether they belong to the demo, and whether the demo is complete. */
export interface Begun {
  readonly at: Date;
  readonly isDemo: boolean;
  readonly isWhole: boolean;
}

/** Looks for estates; undefined if there are none. Only a complete demo has a closed series. */
export function findBegun({ manager }: Context): Promise<Begun | undefined> {
  return manager.row(
    `SELECT min(created_at) AS at, bool_or(ticker = 'PAT-AURORA') AS "isDemo",
       EXISTS (SELECT FROM tokenization.tranches WHERE status = 'CLOSED') AS "isWhole"
     FROM tokenization.patrimonies HAVING count(*) > 0`,
  );
}
