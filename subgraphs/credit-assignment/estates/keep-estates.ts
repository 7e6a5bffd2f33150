import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { estateStatuses, saveEstates, type AnnouncedEstate } from './estate.store.js';

/** What tokenization announces of an estate that is new, or is called or stands otherwise. */
const estateForm = z.object({
  id: z.uuid(),
  ticker: z.string().min(1),
  name: z.string().min(1),
  // An announcement of an earlier version has none; one that has follows it.
  status: z.enum(estateStatuses).optional(),
});

/** Keeps the estates that there are, as tokenization announces them, in the relay's transaction. */
export const keepEstates: Consumer = async (tx, events) => {
  const told = new Map<string, AnnouncedEstate>();
  for (const { id, topic, payload } of events) {
    if (topic !== 'patrimony.registered') continue;
    const { data, error } = estateForm.safeParse(payload);
    if (data !== undefined) told.set(data.id, data);
    else tx.log.error({ event: id, err: error }, 'An estate is not of the form that is announced');
  }
  if (told.size > 0) await saveEstates(tx, [...told.values()]);
};
