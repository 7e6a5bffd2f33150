import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import type { PriceIndex } from '../unit-price/policy.js';

export interface IndexValue {
  readonly index: 'DI' | PriceIndex;
  /** The day of a DI rate; the first day of the month of an index number. `YYYY-MM-DD` */
  readonly date: string;
  /** DI: percent a year. IPCA, IGPM: the index number. */
  readonly value: string;
  /** `YYYY-MM-DD`. */
  readonly publishedOn: string;
}

export function readIndexValues(context: Context): Promise<IndexValue[]> {
  return context.manager.rows(
    `SELECT DISTINCT ON (index_name, date) index_name AS index, to_char(date, 'YYYY-MM-DD') AS date, value,
       to_char(published_on, 'YYYY-MM-DD') AS "publishedOn"
     FROM tokenization.index_values ORDER BY index_name, date, version DESC`,
  );
}

export interface ProjectedValue {
  readonly index: PriceIndex;
  /** `YYYY-MM` */
  readonly month: string;
  /** `YYYY-MM-DD` */
  readonly publishedOn: string;
  /** Percent of the month. */
  readonly percent: string;
}

/** Returns the newest version of every projection that was not withdrawn, by its day of publication. */
export function readProjectedValues(context: Context): Promise<ProjectedValue[]> {
  return context.manager.rows(
    `SELECT * FROM (SELECT DISTINCT ON (index_name, month, published_on) index_name AS index, to_char(month, 'YYYY-MM') AS month,
       to_char(published_on, 'YYYY-MM-DD') AS "publishedOn", percent
     FROM tokenization.projected_index_values ORDER BY index_name, month, published_on, version DESC) AS newest
     WHERE percent IS NOT NULL`,
  );
}

/** Returns the revision number, which every new index value and projection raises. */
export function readIndexRevision({ manager }: Context): Promise<string | undefined> {
  return manager.value('SELECT value FROM tokenization.index_revision');
}

/** Blocks new index values until the transaction ends. Undefined while another transaction adds some. */
export function holdIndexRevision(tx: Context): Promise<string | undefined> {
  return tx.manager.value('SELECT value FROM tokenization.index_revision FOR SHARE SKIP LOCKED');
}

/** The values of an index from a day to another; null for no bound. */
export interface ValuePeriod {
  readonly index: 'DI' | PriceIndex;
  readonly from: string | null;
  readonly to: string | null;
}

export interface ListedProjection extends Pick<ProjectedValue, 'publishedOn'> {
  /** Null for one that was withdrawn. */
  readonly percent: string | null;
  readonly source: string;
  readonly version: number;
  readonly recordedAt: Date;
  readonly importId: string | null;
}

/** A day or month of an index with the newest version of its value, null where it has only projections. */
export interface ListedValue {
  readonly date: string;
  readonly value: string | null;
  readonly publishedOn: string | null;
  readonly version: number | null;
  readonly recordedAt: Date | null;
  readonly importId: string | null;
  /** The newest ones by their days of publication, at most 50. */
  readonly projections: readonly ListedProjection[];
}

const datesOf = `(SELECT date FROM tokenization.index_values WHERE index_name = $1
    UNION SELECT month FROM tokenization.projected_index_values WHERE index_name = $1) AS known
  WHERE date BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')`;

export async function listIndexValues(
  { manager }: Context,
  { index, from, to }: ValuePeriod,
  page: PageRange,
): Promise<ListedValue[]> {
  const { beyond, direction } = keyset('DESC', page);
  const rows = await manager.rows<Omit<ListedValue, 'projections'>>(
    `SELECT known.date::text AS date, v.value, v.published_on::text AS "publishedOn", v.version, v.recorded_at AS "recordedAt",
       v.recorded_by AS "importId"
     FROM (SELECT date FROM ${datesOf} AND ($4::date IS NULL OR date ${beyond} $4) ORDER BY date ${direction} LIMIT $5) AS known
     LEFT JOIN LATERAL (SELECT * FROM tokenization.index_values WHERE index_name = $1 AND date = known.date
       ORDER BY version DESC LIMIT 1) AS v ON true
     ORDER BY known.date ${direction}`,
    [index, from, to, page.after ?? null, page.limit + 1],
  );
  const projections = await manager.rows<ListedProjection & { readonly date: string }>(
    `SELECT known.date::text AS date, p.published_on::text AS "publishedOn", p.percent, p.source, p.version, p.recorded_at AS "recordedAt",
       p.recorded_by AS "importId"
     FROM unnest($2::date[]) AS known (date) CROSS JOIN LATERAL (
       SELECT DISTINCT ON (published_on) * FROM tokenization.projected_index_values WHERE index_name = $1 AND month = known.date
       ORDER BY published_on DESC, version DESC LIMIT 50) AS p
     ORDER BY p.published_on`,
    [index, rows.map(({ date }) => date)],
  );
  const byDate = groupBy(projections, ({ date }) => date);
  return rows.map((row) => ({ ...row, projections: byDate.get(row.date) ?? [] }));
}

export function countIndexValues({ manager }: Context, { index, from, to }: ValuePeriod): Promise<number> {
  return manager.countRows(`SELECT count(*)::integer AS count FROM ${datesOf}`, [index, from, to]);
}
