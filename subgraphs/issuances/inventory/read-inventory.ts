import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { type KeyRing, sha256 } from '../../../shared/security/crypto.js';
import { formatCurrency, formatNumber } from '../../../shared/kernel/format/format.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { createRevisionCache, ofOperation } from '../revision/revision.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import type { LiveReports } from '../reports/live-reports.js';
import { toAgingBands } from '../reports/management-report.js';
import type { Report } from '../reports/report-schema.js';
import {
  fewestDebtors,
  generalize,
  type InventoryContract,
  type InventoryGroup,
  type PublishedFields,
} from './generalize.js';
import { countContracts, readContracts } from './inventory.store.js';
import type { InventoryPage, InventorySummary, InventoryUnavailable } from './inventory.type.js';

export interface InventoryOptions {
  readonly keyRing: KeyRing;
  readonly liveReports: LiveReports;
  /** Operations with more contracts than this are published only in aggregate. */
  readonly maxContracts: number;
}

export type ReadInventory = (
  context: Context,
  ticker: string,
  page: number,
  limit: number,
) => Promise<Shape<InventoryPage> | Shape<InventoryUnavailable>>;

/** A complete inventory, or the reason why there is none. Lines of a group share one object of fields. */
type Outline = readonly InventoryLine[] | 'too many contracts' | 'too few debtors';

/** Creates a reader of inventory pages; each inventory is built once per revision and day, and cached. */
export function createInventoryReader({ keyRing, liveReports, maxContracts }: InventoryOptions): ReadInventory {
  const outlines = createRevisionCache<Outline>('inventories', 50, ofOperation);

  const outline = async (context: Context, operationId: string): Promise<Outline> => {
    // An operation that exceeds the limit now must not be shown credit by credit at a past moment.
    for (const one of context.present === undefined ? [context] : [context, context.present])
      if ((await countContracts(one, operationId)) > maxContracts) return 'too many contracts';
    const recorded = await readContracts(context, operationId);
    if (recorded.length === 0) return [];
    // Nor may a tax id that was wrong then, and is corrected now, count as a debtor of its own.
    const contracts =
      context.present === undefined
        ? recorded
        : withFewestDebtors(recorded, await readContracts(context.present, operationId));
    const groups = await generalize(contracts);
    return groups.length === 0 ? 'too few debtors' : inventoryLines(keyRing, operationId, groups);
  };

  return async (context, ticker, page, limit) => {
    requireBounds(
      { name: 'page', value: page, min: 1, max: 1_000_000 },
      { name: 'limit', value: limit, min: 1, max: 100 },
    );
    const { id } = await findPublicOperation(context, ticker);
    const known = await outlines.one(context, id, (fresh) => outline(fresh, id));
    if (known === 'too few debtors') {
      const reason = `A operação tem menos de ${String(fewestDebtors)} devedores; o estoque não é publicado, para que nenhum deles seja reconhecido`;
      return { __typename: 'InventoryUnavailable', available: false, reason, resumo: null };
    }
    if (known === 'too many contracts') {
      const { report } = await loaderOf(context, liveReports).load(id);
      const reason = `A operação tem mais de ${formatNumber(maxContracts, 0)} contratos; o estoque é publicado de forma agregada`;
      return { __typename: 'InventoryUnavailable', available: false, reason, resumo: toSummary(report) };
    }
    return {
      __typename: 'InventoryPage',
      available: true,
      page,
      limit,
      total: known.length,
      items: known.slice((page - 1) * limit, page * limit).map((line) => ({ id: line.id, ...line.fields })),
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

type Numbered = Pick<InventoryContract, 'id' | 'debtor'>;

/** Two contracts are of one debtor if they were then, or are now. A person who had several tax ids by mistake does not count as several. @param current the same contracts in the present */
function withFewestDebtors<Contract extends Numbered>(
  then: readonly Contract[],
  current: readonly Numbered[],
): Contract[] {
  const debtorNow = new Map(current.map(({ id, debtor }) => [id, debtor]));
  // Past debtors have even numbers, present ones odd numbers. `known` links a debtor to the debtor it was merged into.
  const known = new Map<number, number>();
  const oneOf = (debtor: number): number => {
    let one = debtor;
    for (let next = known.get(one); next !== undefined; next = known.get(one)) one = next;
    // The next search is short.
    if (one !== debtor) known.set(debtor, one);
    return one;
  };
  for (const { id, debtor } of then) {
    const now = debtorNow.get(id);
    if (now === undefined) continue;
    const [left, right] = [oneOf(2 * debtor), oneOf(2 * now + 1)];
    if (left !== right) known.set(left, right);
  }
  return then.map((contract) => ({ ...contract, debtor: oneOf(2 * contract.debtor) }));
}

interface InventoryLine {
  readonly id: string;
  readonly fields: PublishedFields;
}

/** Orders lines by their opaque ids, effectively random and different in every operation. An id stays only as long as its group has the same members: it reveals only facts about the group. */
export function inventoryLines(
  keyRing: KeyRing,
  operationId: string,
  groups: readonly InventoryGroup[],
): InventoryLine[] {
  return groups
    .flatMap(({ contractIds, fields }) => {
      const members = contractIds.toSorted().join(' ');
      const secret = keyRing.hmac('issuances/inventory', `${operationId}/${members}`).toString('hex');
      return contractIds.map((id) => ({ id: opaqueId(secret, id), fields }));
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** @param secret of the group, derived from the secret key */
function opaqueId(secret: string, contractId: string): string {
  return sha256(`${secret}/${contractId}`).subarray(0, 16).toString('base64url');
}
