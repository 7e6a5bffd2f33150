import { arraysOf } from '../../../shared/arrays-of.js';
import type { Context } from '../../../shared/context.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { CurrencyHalt } from './finding.type.js';

/** A currency in which no new trades are accepted. */
export type HaltRow = Shape<CurrencyHalt>;

const columns = 'currency, synthetic, reason, halted_at AS "haltedAt"';

/** Returns the halts of the given currencies in a world: none when all of them can be traded. */
export function haltsOf({ manager }: Context, currencies: readonly string[], synthetic: boolean): Promise<HaltRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.currency_halts WHERE currency = ANY ($1::text[]) AND synthetic = $2 ORDER BY currency`,
    [currencies, synthetic],
  );
}

/** Lists all halts, by currency. */
export function listHalts({ manager }: Context): Promise<HaltRow[]> {
  return manager.rows(`SELECT ${columns} FROM trading.currency_halts ORDER BY currency, synthetic`);
}

/** Halts currencies; one that is already halted keeps its reason. */
export async function addHalts(
  { manager, clock }: Context,
  halts: readonly Pick<HaltRow, 'currency' | 'synthetic' | 'reason'>[],
): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.currency_halts (currency, synthetic, reason, halted_at)
     SELECT *, $4::timestamptz FROM unnest($1::text[], $2::boolean[], $3::text[]) ON CONFLICT DO NOTHING`,
    [...arraysOf(halts, 'currency', 'synthetic', 'reason'), clock.now()],
  );
}

/** Lifts the halt of a currency. @returns the halt that was lifted; undefined where there was none */
export function removeHalt({ manager }: Context, currency: string, synthetic: boolean): Promise<HaltRow | undefined> {
  return manager.row(`DELETE FROM trading.currency_halts WHERE currency = $1 AND synthetic = $2 RETURNING ${columns}`, [
    currency,
    synthetic,
  ]);
}
