import type { Context } from '../../../shared/context.js';
import type { PriceIndex } from '../unit-price/policy.js';

/** What the market published, in its newest version. */
export interface IndexValue {
  readonly index: 'DI' | PriceIndex;
  /** The day of a DI rate; the first day of the month of an index number. `YYYY-MM-DD` */
  readonly date: string;
  /** DI: percent a year. IPCA, IGPM: the index number. */
  readonly value: string;
}

/** Every value of every index, the newest version of each. */
export function readIndexValues(context: Context): Promise<IndexValue[]> {
  return context.manager.query(
    `SELECT DISTINCT ON (index_name, date) index_name AS index, to_char(date, 'YYYY-MM-DD') AS date, value
     FROM tokenization.index_values ORDER BY index_name, date, version DESC`,
  );
}

/** The number that every new index value raises. */
export async function readIndexRevision({ manager }: Context): Promise<string | undefined> {
  const [row]: { value: string }[] = await manager.query('SELECT value FROM tokenization.index_revision');
  return row?.value;
}

/**
 * The number that every new index value raises, and no new ones until the transaction ends. Undefined while someone is
 * adding some.
 */
export async function holdIndexRevision(tx: Context): Promise<string | undefined> {
  const [row]: { value: string }[] = await tx.manager.query(
    'SELECT value FROM tokenization.index_revision FOR SHARE SKIP LOCKED',
  );
  return row?.value;
}
