import { z } from 'zod';

export const updateTopic = 'operation.updated';

export const updateKinds = ['PU', 'PAYMENT', 'DOCUMENT', 'COMMUNICATION', 'REPORT', 'OTHER'] as const;
export type UpdateKind = (typeof updateKinds)[number];

/** The event that an import, or a stored report, announces under the operation's id when new data or a correction was published. */
export const updateEventSchema = z.object({
  payload: z.object({
    operationId: z.uuid(),
    ticker: z.string(),
    kind: z.enum(updateKinds),
    reference: z.string(),
    occurredAt: z.iso.datetime(),
    correction: z.boolean().default(false),
    /** Id of the audit log entry of the correction. */
    actId: z.uuid().nullish(),
    seriesTicker: z.string().nullable().default(null),
    unitPrice: z.string().nullable().default(null),
    entityIds: z.array(z.uuid()).readonly().default([]),
  }),
});

export type UpdatePayload = z.infer<typeof updateEventSchema>['payload'];
