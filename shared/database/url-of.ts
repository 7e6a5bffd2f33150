import type { EntityManager } from 'typeorm';

/** The address of the database behind a manager, for connections apart. */
export function urlOf({ dataSource: { options } }: EntityManager): string {
  if (options.type === 'postgres' && options.url !== undefined) return options.url;
  throw new Error('The database was opened without an address');
}
