import { arraysOf } from '../../../shared/arrays-of.js';
import type { Context } from '../../../shared/context.js';

/** The slug of an estate, null where there is none any more, and the operation that it belongs to. */
export interface EstateSlug {
  readonly id: string;
  readonly slug: string | null;
  readonly operationTicker: string | null;
  /** Of the event. */
  readonly sequence: number;
}

/** Stores what was announced last, each once and in the same order in every transaction. Returns whether anything changed. */
export async function saveEstateSlugs({ manager }: Context, estates: readonly EstateSlug[]): Promise<boolean> {
  const changed = await manager.rows(
    `INSERT INTO issuances.estate_slugs AS stored (patrimony_id, slug, operation_ticker, event_sequence)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS announced (id) ORDER BY announced.id
     ON CONFLICT (patrimony_id) DO UPDATE SET slug = excluded.slug, operation_ticker = excluded.operation_ticker,
       event_sequence = excluded.event_sequence
     WHERE stored.event_sequence < excluded.event_sequence RETURNING patrimony_id`,
    arraysOf(estates, 'id', 'slug', 'operationTicker', 'sequence'),
  );
  return changed.length > 0;
}
