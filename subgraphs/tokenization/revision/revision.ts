import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { readTogether } from '../../../shared/database/read-together.js';

const only = '';
const revision = readTogether(async ({ manager }) => {
  const sum = await manager.value<string>('SELECT sum(value)::text FROM tokenization.revision');
  return new Map([[only, sum ?? '0']]);
});

/** Returns the state that every published result depends on besides its arguments: the revision of the data and the civil day. */
export async function readStamp(context: Context): Promise<string> {
  return `${(await revision(context, only)) ?? '0'} ${civilDate(context.clock.now())}`;
}
