import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { originatorsOf } from './originator.store.js';

/** The scope that a developer's key needs to read what originators assign. */
export const readScope = 'credit:read';

/** Takes one query per request. A developer's key without the scope sees none, also where a field is open to anyone and has no other access check. */
export function visibleOriginators(context: Context): Promise<readonly string[]> {
  const { kind, scopes } = context.principal;
  if (kind === 'DEVELOPER_KEY' && !scopes.includes(readScope)) return Promise.resolve([]);
  return loaderOf(context, seen).load('caller');
}

async function seen(context: Context, callers: readonly 'caller'[]): Promise<(readonly string[])[]> {
  const ids = await originatorsOf(context);
  return callers.map(() => ids);
}
