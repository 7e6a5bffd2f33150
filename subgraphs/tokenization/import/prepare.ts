import { stagedColumns } from '../../../shared/import/write/sql.js';
import { assets } from './model/assets.js';

/** Source columns of a staged asset that only its instalments name: it keeps its values, except for those derived from instalments. */
const taken = new Map([
  ['file', '0'],
  ['line', '0'],
  ['path', `''`],
  ['position', '0'],
  ['owner_patrimony', 'p.ticker'],
]);
const columns = stagedColumns(assets).map(({ name }) => name);

/** Derives the figures of every asset named in the input from its instalments. */
export const prepare = `
  INSERT INTO import_assets (${columns.join(', ')})
  SELECT ${columns.map((column) => taken.get(column) ?? `a.${column}`).join(', ')}
  FROM known_assets k JOIN tokenization.assets a ON a.id = k.id JOIN known_patrimonies p ON p.id = k.patrimony_id
  WHERE NOT k.is_stated;

  UPDATE import_assets s SET status = o.status, current_balance = o.current_balance, received = o.received,
    paid_installments = o.paid_installments, next_due_date = o.next_due_date, final_due_date = o.final_due_date
  FROM known_patrimonies p, known_assets k, known_outcomes o
  WHERE p.ticker = lower(s.owner_patrimony) AND k.patrimony_id = p.id AND k.external_id = s.external_id AND o.id = k.id`;
