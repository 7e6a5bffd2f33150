import type { Manager } from '../../../shared/database/manager.js';

/** An ACTIVE estate that takes in everything, as credit assignment knows it. */
export async function addOpenEstate(
  source: Pick<Manager, 'query'>,
  id: string,
  ticker: string,
  name = `Patrimônio ${ticker}`,
): Promise<void> {
  await source.query(
    `WITH estate AS (
       INSERT INTO credit_assignment.estates (id, ticker, name, status) VALUES ($1, $2, $3, 'ACTIVE')
       ON CONFLICT (id) DO NOTHING
     )
     INSERT INTO credit_assignment.eligibility_criteria (patrimony_id, updated_at) VALUES ($1, now())`,
    [id, ticker, name],
  );
}

/** Permits an originator an estate. */
export async function permit(source: Pick<Manager, 'query'>, originatorId: string, patrimonyId: string): Promise<void> {
  await source.query('INSERT INTO credit_assignment.originator_permits VALUES ($1, $2, now())', [
    originatorId,
    patrimonyId,
  ]);
}
