import type { Context } from '../../../shared/kernel/context.js';
import type { PriceIndex } from '../unit-price/policy.js';

/** The newest version of a published value. */
export interface IndexValue {
  readonly index: 'DI' | PriceIndex;
  /** The day of a DI rate; the first day of the month of an index number. `YYYY-MM-DD` */
  readonly date: string;
  /** DI: percent a year. IPCA, IGPM: the index number. */
  readonly value: string;
}

/** Returns the newest version of every value of every index. */
export function readIndexValues(context: Context): Promise<IndexValue[]> {
  return context.manager.rows(
    `SELECT DISTINCT ON (index_name, date) index_name AS index, to_char(date, 'YYYY-MM-DD') AS date, value
     FROM tokenization.index_values ORDER BY index_name, date, version DESC`,
  );
}

/** Returns the revision number, which every new index value raises. */
export function readIndexRevision({ manager }: Context): Promise<string | undefined> {
  return manager.value('SELECT value FROM tokenization.index_revision');
}

/**
 * Returns the revision number that every new index value raises, and blocks new ones until the transaction ends. Undefined
 * while another transaction adds some.
 */
export function holdIndexRevision(tx: Context): Promise<string | undefined> {
  return tx.manager.value('SELECT value FROM tokenization.index_revision FOR SHARE SKIP LOCKED');
}
