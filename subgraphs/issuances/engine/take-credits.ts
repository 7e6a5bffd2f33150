import { z } from 'zod';
import { type Consumer, type PublishedEvent, payloadOf } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';
import { contracts } from '../import/model/credits.js';
import { contractStatuses } from '../inventory/generalize.js';
import {
  movedEstates,
  newerCredits,
  stageCredits,
  stageLeftCredits,
  type BookedCredit,
  type NamedEstate,
} from './credit.store.js';
import { wantCredits } from './book.js';
import { requireNoneWriting, writeAsEngine } from './write-as-engine.js';

const money = z.string().regex(/^\d{1,20}(\.\d{1,2})?$/);

/** Payload of `assets.booked`: credits that originators assigned to an estate. */
const creditsForm = z.object({
  patrimonyId: z.uuid(),
  credits: z.array(
    z.object({
      id: z.uuid(),
      status: z.enum(contractStatuses),
      type: z.string(),
      debtorName: z.string(),
      debtorDocument: z.string(),
      originalValue: money,
      balance: money,
      rate: z.string(),
      installments: z.int().positive(),
      paidInstallments: z.int().nonnegative(),
      assignedOn: z.iso.date(),
      nextDueDate: z.iso.date().nullable(),
      finalDueDate: z.iso.date(),
    }),
  ),
});

/** Payload of `patrimony.registered`: which operation an estate stands behind. */
const estateForm = z.object({ id: z.uuid(), operationTicker: z.string().nullable() });

/** Reports and the inventory show them with the others; an estate that changes its operation, or goes, takes them along. Events may come twice and in any order. */
export const takeCredits: Consumer = async (tx, events) => {
  const credits = creditsOf(tx, events);
  const estates = await movedEstates(tx, estatesIn(tx, events));
  if (credits.length + estates.length === 0) return;
  await requireNoneWriting(tx);
  // All credits of an estate that names another operation are asked for anew.
  const moved = new Set(estates.map(({ id }) => id));
  const newer = await newerCredits(
    tx,
    credits.filter(({ patrimonyId }) => !moved.has(patrimonyId)),
  );
  if (newer.length + estates.length > 0)
    await writeAsEngine(tx, {
      label: `${newer.length} assigned credits`,
      kinds: [contracts],
      stage: async (act) => {
        await stageLeftCredits(act, estates);
        await stageCredits(act, newer);
      },
    });
  await wantCredits(
    tx,
    estates.map(({ id }) => id),
  );
};

function creditsOf(tx: Context, events: readonly PublishedEvent[]): BookedCredit[] {
  const newest = new Map<string, BookedCredit>();
  for (const event of events) {
    if (event.topic !== 'assets.booked') continue;
    const { sequence } = event;
    const { patrimonyId = '', credits = [] } = payloadOf(tx, event, creditsForm, 'assigned credits') ?? {};
    for (const credit of credits)
      if ((newest.get(credit.id)?.sequence ?? -1) < sequence) newest.set(credit.id, { credit, patrimonyId, sequence });
  }
  return [...newest.values()];
}

function estatesIn(tx: Context, events: readonly PublishedEvent[]): NamedEstate[] {
  const named = events
    .filter(({ topic }) => topic === 'patrimony.registered')
    .flatMap((event) => payloadOf(tx, event, estateForm, 'an estate') ?? []);
  return [...new Map(named.map((estate) => [estate.id, estate])).values()];
}
