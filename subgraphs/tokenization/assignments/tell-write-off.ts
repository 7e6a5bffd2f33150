import type { Context } from '../../../shared/kernel/context.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import type { AssetRow } from '../assets/asset.store.js';

/** Announces `assets.written_off` when an operator writes off an assigned credit: credit assignment releases its contract. A repetition changes nothing there. */
export async function tellWriteOff(tx: Context, { id, originatorId }: AssetRow): Promise<void> {
  if (originatorId === null) return;
  await announce(tx, { topic: 'assets.written_off', key: id, payload: { receivableId: id }, internal: true });
}
