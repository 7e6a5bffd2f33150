import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { readPayloads } from '../../../shared/outbox/read-payloads.js';
import { estateStatuses, saveEstates } from './estate.store.js';

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
  const announced = await readPayloads(tx, events, 'patrimony.registered', estateForm, 'an estate');
  // The last event of an estate has its present name and status.
  const estates = new Map(announced.map((estate) => [estate.id, estate]));
  if (estates.size > 0) await saveEstates(tx, [...estates.values()]);
};
