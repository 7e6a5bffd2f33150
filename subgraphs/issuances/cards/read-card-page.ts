import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { formatCurrency } from '../../../shared/kernel/format/format.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { addUpOperations, filterKey, type OperationFigures } from '../operations/operation-list.store.js';
import { pageOperations } from '../operations/page-operations.js';
import type { RevisionCache } from '../revision/revision.js';
import { cardOf } from './card.js';
import { loadCardFacts } from './card.store.js';
import type { OperationCardPage, OperationCardPageArgs } from './card.type.js';

/** Includes the totals of all operations that match the filter. @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor */
export async function readCardPage(
  context: Context,
  { codec, figures }: { readonly codec: CursorCodec; readonly figures: RevisionCache<OperationFigures> },
  args: OperationCardPageArgs,
): Promise<Shape<OperationCardPage>> {
  const now = context.clock.now();
  const page = await pageOperations(context, codec, args, { usual: 50, most: 200 });
  const { operations, series, volume } = await figures.one(context, filterKey(page.query), (fresh) =>
    addUpOperations(fresh, page.query),
  );
  const facts = await loadCardFacts(context, page.rows, civilDate(now));
  return {
    cards: page.rows.map((operation) => cardOf(operation, facts)),
    stats: { volume: formatCurrency(volume), operacoes: operations, series },
    total: operations,
    nextCursor: page.nextToken,
    generatedAt: now,
  };
}
