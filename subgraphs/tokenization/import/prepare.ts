import { stagedColumns } from '../../../shared/import/write/sql.js';
import { assets } from './model/assets.js';

/*
 * Runs between the checks and the merge. An input may name an asset by an instalment alone: the asset's figures change all the same, so it is staged here
 * too. The temporary tables are those of `known.ts`.
 */

/** The columns of a staged asset that are not columns of its row; it has no line of a file. */
const beside = new Map([
  ['file', '0'],
  ['line', '0'],
  ['path', `''`],
  ['position', '0'],
  ['owner_patrimony', 'p.ticker'],
]);
const columns = stagedColumns(assets).map(({ name }) => name);

const stageUnstatedAssets = `
  INSERT INTO import_assets (${columns.join(', ')})
  SELECT ${columns.map((column) => beside.get(column) ?? `a.${column}`).join(', ')}
  FROM known_assets k JOIN tokenization.assets a ON a.id = k.id JOIN known_patrimonies p ON p.id = k.patrimony_id
  WHERE NOT k.is_stated`;

const setFigures = `
  UPDATE import_assets s SET status = o.status, current_balance = o.current_balance, received = o.received,
    paid_installments = o.paid_installments, next_due_date = o.next_due_date, final_due_date = o.final_due_date
  FROM known_patrimonies p, known_assets k, known_outcomes o
  WHERE p.ticker = lower(s.owner_patrimony) AND k.patrimony_id = p.id AND k.external_id = s.external_id AND o.id = k.id`;

/** Sets the figures of every asset that the input names to those that follow from its instalments. */
export const prepare = `${stageUnstatedAssets};${setFigures}`;
