import { loaderOf, type Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { formatCurrency, formatNumber } from '../../../shared/format/format.js';
import { requireBounds } from '../../../shared/bounds.js';
import { createRevisionCache } from '../common/revision.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import type { LiveReports } from '../reports/live-reports.js';
import { toAgingBands } from '../reports/management-report.js';
import type { Report } from '../reports/report-schema.js';
import { inventoryOrder, opaqueId, toInventoryItem } from './inventory.js';
import { contractIdsOf, countContracts, findContracts, shownUfsOf } from './inventory.store.js';
import type { InventoryPage, InventorySummary, InventoryUnavailable } from './inventory.type.js';

export interface InventoryOptions {
  readonly keyRing: KeyRing;
  readonly liveReports: LiveReports;
  /** Operations with more contracts than this are published added up only. */
  readonly maxContracts: number;
}

export type ReadInventory = (
  context: Context,
  ticker: string,
  page: number,
  limit: number,
) => Promise<Shape<InventoryPage> | Shape<InventoryUnavailable>>;

/** What is kept of an inventory between pages. */
type Outline = { readonly order: readonly string[]; readonly shownUfs: ReadonlySet<string> } | 'too many';

/** Reads pages of inventories; the order of one is made once a revision. */
export function createInventoryReader({ keyRing, liveReports, maxContracts }: InventoryOptions): ReadInventory {
  const outlines = createRevisionCache<Outline>('inventories', 50);

  const outline = async (context: Context, operationId: string): Promise<Outline> => {
    if ((await countContracts(context, operationId)) > maxContracts) return 'too many';
    const ids = await contractIdsOf(context, operationId);
    return {
      order: inventoryOrder(keyRing, operationId, ids),
      shownUfs: await shownUfsOf(context, operationId),
    };
  };

  return async (context, ticker, page, limit) => {
    requireBounds(
      { name: 'page', value: page, min: 1, max: 1_000_000 },
      { name: 'limit', value: limit, min: 1, max: 100 },
    );
    const { id } = await findPublicOperation(context, ticker);
    const known = await outlines.one(context, id, (fresh) => outline(fresh, id));
    if (known === 'too many') {
      const { report } = await loaderOf(context, liveReports).load(id);
      return {
        __typename: 'InventoryUnavailable',
        available: false,
        reason: `A operação tem mais de ${formatNumber(maxContracts, 0)} contratos; o estoque é publicado de forma agregada`,
        resumo: toSummary(report),
      };
    }
    const contracts = await findContracts(context, known.order.slice((page - 1) * limit, page * limit));
    return {
      __typename: 'InventoryPage',
      available: true,
      page,
      limit,
      total: known.order.length,
      items: contracts.map((one) => toInventoryItem(opaqueId(keyRing, id, one.id), one, known.shownUfs)),
    };
  };
}

function toSummary({ portfolio, aging }: Report): Shape<InventorySummary> {
  return {
    contratos: portfolio.contracts,
    devedores: portfolio.debtors,
    saldoDevedor: formatCurrency(portfolio.balance),
    valorOriginal: formatCurrency(portfolio.originalValue),
    ticketMedio: portfolio.averageTicket === null ? null : formatCurrency(portfolio.averageTicket),
    faixas: toAgingBands(aging),
  };
}
