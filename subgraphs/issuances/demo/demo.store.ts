import type { Context } from '../../../shared/kernel/context.js';

export interface Begun {
  /** Whether there are operations, and whether they belong to the demo. */
  readonly isThere: boolean;
  readonly isDemo: boolean;
  readonly isWhole: boolean;
}

export function findBegun({ manager }: Context): Promise<Begun> {
  return manager.one(
    `SELECT EXISTS (SELECT FROM issuances.operations) AS "isThere", EXISTS (SELECT FROM issuances.operations WHERE ticker = 'CRI-AURORA') AS "isDemo",
       EXISTS (SELECT FROM issuances.complete_months) AS "isWhole"`,
  );
}
