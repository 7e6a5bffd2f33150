import { z } from 'zod';

export const updateTopic = 'operation.updated';

export const updateKinds = ['PU', 'PAYMENT', 'DOCUMENT', 'COMMUNICATION', 'REPORT', 'OTHER'] as const;
export type UpdateKind = (typeof updateKinds)[number];

/** What the importer, and whoever stores a report, announces under the operation's id when something new was published about it, or something was corrected. */
export const updateEventSchema = z.object({
  payload: z.object({
    operationId: z.uuid(),
    ticker: z.string(),
    kind: z.enum(updateKinds),
    reference: z.string(),
    occurredAt: z.iso.datetime(),
    correction: z.boolean().default(false),
    /** The act that corrected it, by the id of its entry in the audit log. */
    actId: z.uuid().nullish(),
  }),
});
