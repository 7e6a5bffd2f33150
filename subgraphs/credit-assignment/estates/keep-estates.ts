import { z } from 'zod';
import { type Consumer, payloadOf } from '../../../shared/events/outbox/outbox.js';
import { estateStatuses, saveEstates, type AnnouncedEstate } from './estate.store.js';

/** The event of tokenization about an estate that is new, or whose name or status has changed. */
const estateForm = z.object({
  id: z.uuid(),
  ticker: z.string().min(1),
  name: z.string().min(1),
  status: z.enum(estateStatuses),
});

/** Runs in the relay's transaction. Events may come in any order: an estate is as the last import announced it, and an older event changes nothing. */
export const keepEstates: Consumer = async (tx, events) => {
  const newest = new Map<string, AnnouncedEstate>();
  for (const event of events) {
    if (event.topic !== 'patrimony.registered') continue;
    const estate = payloadOf(tx, event, estateForm, 'an estate');
    if (estate === undefined) continue;
    const known = newest.get(estate.id);
    if (known === undefined || known.sequence < event.sequence)
      newest.set(estate.id, { ...estate, sequence: event.sequence });
  }
  if (newest.size > 0) await saveEstates(tx, [...newest.values()]);
};
