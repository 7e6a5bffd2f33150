import { type Context, today } from '../../../shared/kernel/context.js';
import { conditionsOf, oneOf, type Conditions } from '../../../shared/database/conditions.js';
import type { OpenPage } from '../../../shared/graphql/list-page.js';
import { riskClasses } from '../../securities/risk-class.js';
import { byLetters, byPlaceIn, sortedSql, type SortedRow, type SortKey } from '../../../shared/graphql/sorted-list.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { TrancheQuery, TrancheSortField } from './tranche-list.js';
import type { TrancheAddress } from './tranche.type.js';
import { trancheColumns, type TrancheRow } from './tranche.store.js';

export type ListedTranche = TrancheRow & SortedRow;

/** Due date of the last instalment; null without a schedule. */
const maturity = `(SELECT max(entry.due_date) FROM tokenization.schedule_entries AS entry WHERE entry.tranche_id = tranches.id)`;

const sortKeys: Readonly<Record<Exclude<TrancheSortField, 'UNIT_PRICE' | 'TOTAL_VALUE'>, SortKey>> = {
  TICKER: { expression: 'lower(ticker)', type: 'text' },
  NAME: byLetters('name'),
  STATUS: byPlaceIn(['DRAFT', 'FUNDRAISING', 'ACTIVE', 'CLOSED'], 'status'),
  RISK_CLASS: byPlaceIn(riskClasses, 'class_name'),
  INDEXER: byLetters('indexer'),
  RATE: { expression: 'rate', type: 'numeric' },
  REMUNERATION_START: { expression: 'remuneration_start_date', type: 'date' },
  MATURITY_DATE: { expression: maturity, type: 'date', optional: true },
  INVESTED_AMOUNT: { expression: 'invested_amount', type: 'numeric' },
  TOKEN_QUANTITY: { expression: 'token_quantity', type: 'bigint' },
};

/** @param day placeholder of the current day: until remuneration begins, a unit is worth its issue value (`currentPrice`) */
function sortKey(field: TrancheSortField, day: () => string): SortKey {
  if (field !== 'UNIT_PRICE' && field !== 'TOTAL_VALUE') return sortKeys[field];
  const price = `coalesce(unit_price, CASE WHEN ${day()}::date <= remuneration_start_date THEN issue_value END)`;
  const expression = field === 'UNIT_PRICE' ? price : `token_quantity * ${price}`;
  return { expression, type: 'numeric', optional: true };
}

function conditionsFor(query: TrancheQuery): Conditions {
  const conditions = conditionsOf();
  const { where } = conditions;
  where(query.statuses, oneOf('status'));
  where(
    query.patrimonyTicker,
    (ticker) =>
      `patrimony_id = (SELECT patrimony.id FROM tokenization.patrimonies AS patrimony WHERE lower(patrimony.ticker) = ${ticker})`,
  );
  where(query.seriesTicker ?? null, (ticker) => `lower(series_ticker) = ${ticker}`);
  where(query.tickers, oneOf('lower(ticker)'));
  where(query.riskClasses, oneOf('class_name'));
  where(query.indexers, oneOf('indexer'));
  where(query.maturityFrom, (day) => `${maturity} >= ${day}::date`);
  where(query.maturityTo, (day) => `${maturity} <= ${day}::date`);
  where(query.volumeFrom, (amount) => `issue_value * token_quantity >= ${amount}::numeric`);
  where(query.volumeTo, (amount) => `issue_value * token_quantity <= ${amount}::numeric`);
  return conditions;
}

/** Returns the series of a page, one more than it holds if there are more. */
export function listTranches(
  context: Context,
  query: TrancheQuery,
  page: Pick<OpenPage, 'limit' | 'position' | 'backward'>,
): Promise<ListedTranche[]> {
  const { place, text, values } = conditionsFor(query);
  const value = sortKey(query.sort, () => place(today(context)));
  const tie = { expression: 'id', type: 'uuid' };
  const sorted = sortedSql({ value, tie, direction: query.direction }, page, place);
  return context.manager.rows(
    `SELECT ${trancheColumns}, ${sorted.columns} FROM tokenization.tranches
     WHERE ${text()} AND ${sorted.condition} ORDER BY ${sorted.order} LIMIT ${place(page.limit + 1)}`,
    values,
  );
}

export function listTrancheAddresses({ manager }: Context): Promise<Shape<TrancheAddress>[]> {
  return manager.rows(
    `SELECT tranches.ticker, patrimony.ticker AS "patrimonyTicker"
     FROM tokenization.tranches JOIN tokenization.patrimonies AS patrimony ON patrimony.id = patrimony_id ORDER BY lower(tranches.ticker)`,
  );
}

export function countTranches({ manager }: Context, query: TrancheQuery): Promise<number> {
  const { text, values } = conditionsFor(query);
  return manager.countRows(`SELECT count(*)::int AS count FROM tokenization.tranches WHERE ${text()}`, values);
}
