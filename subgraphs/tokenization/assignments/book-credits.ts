import { z } from 'zod';
import { announceAll, type Consumer, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { lockAssignedOf, readCredits, type CreditState } from './assigned-asset.store.js';

const mostCredits = 1000;

/** Announces the given credits that originators assigned to the estate of an operation. The caller has locked them: of two announcements the later has the greater number. */
export async function announceCredits(tx: Context, assetIds: readonly string[]): Promise<void> {
  await announceStates(tx, await readCredits(tx, assetIds));
}

export async function announceStates(tx: Context, credits: readonly CreditState[]): Promise<void> {
  const byEstate = groupBy(credits, ({ patrimonyId }) => patrimonyId);
  await announceAll(
    tx,
    [...byEstate].flatMap(([patrimonyId, all]) => eventsOf(patrimonyId, all)),
  );
}

function eventsOf(patrimonyId: string, credits: readonly CreditState[]) {
  return Array.from({ length: Math.ceil(credits.length / mostCredits) }, (_, at) => ({
    topic: 'assets.booked',
    key: patrimonyId,
    payload: { patrimonyId, credits: credits.slice(at * mostCredits, (at + 1) * mostCredits) },
    internal: true,
  }));
}

const wanted = {
  topic: 'credits.wanted',
  form: z.object({ patrimonyId: z.uuid(), after: z.uuid().nullable() }),
  subject: 'the credits of an estate',
};

/** Answers issuances, which knows the operation of an estate: announces all its assigned credits, a piece at a time. */
export const answerWantedCredits: Consumer = async (tx, events) => {
  for (const { patrimonyId, after } of await payloadsOf(tx, events, wanted)) {
    const ids = await lockAssignedOf(tx, patrimonyId, after, mostCredits);
    await announceCredits(tx, ids);
    const last = ids.at(-1);
    if (last === undefined || ids.length < mostCredits) continue;
    const payload = { patrimonyId, after: last };
    await announceAll(tx, [{ topic: wanted.topic, key: patrimonyId, payload, internal: true }]);
  }
};
