import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { payloadOf } from '../../../shared/outbox/payloads.js';
import { raiseRevision } from '../revision/raise-revision.js';
import { saveEstateSlugs, type EstateSlug } from './estate-slugs.store.js';

/** The event of tokenization about an estate; one of before slugs were announced has none, and another follows. */
const estateForm = z.object({
  id: z.uuid(),
  slug: z.string().nullable().optional(),
  operationTicker: z.string().nullable().optional(),
});

/** Keeps the slugs of estates, by which operations are found. Events may come twice, and in any order. */
export const keepEstateSlugs: Consumer = async (tx, events) => {
  const newest = new Map<string, EstateSlug>();
  for (const event of events) {
    if (event.topic !== 'patrimony.registered') continue;
    const estate = payloadOf(tx, event, estateForm, 'an estate');
    if (estate?.slug === undefined) continue;
    const { id, slug, operationTicker = null } = estate;
    if ((newest.get(id)?.sequence ?? -1) < event.sequence)
      newest.set(id, { id, slug, operationTicker, sequence: event.sequence });
  }
  // By which name an operation is found is part of no operation.
  if (newest.size > 0 && (await saveEstateSlugs(tx, [...newest.values()]))) await raiseRevision(tx, []);
};
