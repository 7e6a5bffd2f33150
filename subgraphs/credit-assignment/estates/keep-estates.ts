import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/relay.js';
import { saveEstates, type Estate } from './estate.store.js';

/** What tokenization announces of an estate that is new, or is called otherwise. */
const estateForm = z.object({ id: z.uuid(), ticker: z.string().min(1), name: z.string().min(1) });

/** Keeps the estates that there are, as tokenization announces them, in the relay's transaction. */
export const keepEstates: Consumer = async (tx, events) => {
  const told = new Map<string, Estate>();
  for (const { id, topic, payload } of events) {
    if (topic !== 'patrimony.registered') continue;
    const { data, error } = estateForm.safeParse(payload);
    if (data !== undefined) told.set(data.id, data);
    else tx.log.error({ event: id, err: error }, 'An estate is not of the form that is announced');
  }
  if (told.size > 0) await saveEstates(tx, [...told.values()]);
};
