import type { Manager } from './manager.js';

/** Returns the URL of the database behind a manager, for separate connections. */
export function urlOf({ dataSource: { options } }: Manager): string {
  if (options.type === 'postgres' && options.url !== undefined) return options.url;
  throw new Error('The data source has no address');
}
