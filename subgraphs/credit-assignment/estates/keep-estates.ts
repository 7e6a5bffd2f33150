import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { estateStatuses, saveEstates, type AnnouncedEstate } from './estate.store.js';

/** The event of tokenization about an estate that is new, or whose name or status has changed. */
const estateForm = z.object({
  id: z.uuid(),
  ticker: z.string().min(1),
  name: z.string().min(1),
  // Events of an earlier version have none; one that has it follows.
  status: z.enum(estateStatuses).optional(),
});

/** Stores the estates that tokenization announces, in the relay's transaction. */
export const keepEstates: Consumer = async (tx, events) => {
  const told = new Map<string, AnnouncedEstate>();
  for (const { id, topic, payload } of events) {
    if (topic !== 'patrimony.registered') continue;
    const { data, error } = estateForm.safeParse(payload);
    if (data !== undefined) told.set(data.id, data);
    else tx.log.error({ event: id, err: error }, 'An event about an estate does not have the expected form');
  }
  if (told.size > 0) await saveEstates(tx, [...told.values()]);
};
