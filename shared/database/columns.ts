import type { EntityMetadata } from 'typeorm';
import type { Manager } from './manager.js';

const lists = new WeakMap<EntityMetadata, string>();

/**
 * Returns the columns of a row class for a plain `SELECT`, aliased to its property names, with dates as text as in TypeORM. For frequent reads, where
 * the query builder would take as long as PostgreSQL does.
 */
export function columnsOf({ dataSource }: Manager, Row: new () => object): string {
  const metadata = dataSource.getMetadata(Row);
  const known = lists.get(metadata);
  if (known !== undefined) return known;
  const list = metadata.columns
    .filter(({ isSelect }) => isSelect)
    .map(
      ({ databaseName, propertyName, type }) =>
        `${databaseName}${type === 'date' ? '::text' : ''} AS "${propertyName}"`,
    )
    .join(', ');
  lists.set(metadata, list);
  return list;
}
