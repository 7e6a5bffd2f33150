import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { readTogether } from '../../../shared/database/read-together.js';

const only = '';
/** Which rows make the sum, too: a standby may show two concurrent transactions in another order than the primary, so that one sum can mean two states. */
const revision = readTogether(async ({ manager }) => {
  const state = await manager.value<string>(
    `SELECT concat_ws(' ', coalesce(sum(value), 0), md5(string_agg(value::text, ' ' ORDER BY slot))) FROM tokenization.revision`,
  );
  return new Map([[only, state ?? '0']]);
});

/** Returns the state that every published result depends on besides its arguments: the revision of the data and the civil day. */
export async function readStamp(context: Context): Promise<string> {
  return `${(await revision(context, only)) ?? '0'} ${civilDate(context.clock.now())}`;
}
