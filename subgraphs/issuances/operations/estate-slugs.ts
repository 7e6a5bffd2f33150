import { z } from 'zod';
import { type Consumer, payloadOf } from '../../../shared/events/outbox/outbox.js';
import { raiseRevision } from '../revision/revision.js';
import { saveEstateSlugs, type EstateSlug } from './operation-list.store.js';

/** The event of tokenization about an estate; one that was deleted has no slug. */
const estateForm = z.object({ id: z.uuid(), slug: z.string().nullable(), operationTicker: z.string().nullable() });

/** Keeps the slugs of estates, by which operations are found. Events may come twice, and in any order. */
export const keepEstateSlugs: Consumer = async (tx, events) => {
  const newest = new Map<string, EstateSlug>();
  for (const event of events) {
    if (event.topic !== 'patrimony.registered') continue;
    const estate = payloadOf(tx, event, estateForm, 'an estate');
    if (estate === undefined) continue;
    if ((newest.get(estate.id)?.sequence ?? -1) < event.sequence)
      newest.set(estate.id, { ...estate, sequence: event.sequence });
  }
  // The name by which an operation is found is not part of the operation.
  if (newest.size > 0 && (await saveEstateSlugs(tx, [...newest.values()]))) await raiseRevision(tx, []);
};
