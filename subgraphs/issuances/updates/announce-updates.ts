import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import {
  readActCorrections,
  type ActCorrections,
  changedPrices,
  changedRecords,
  mostIds,
  recordKinds,
  sources,
  type ChangedPrices,
  type ChangedRecords,
  type RecordKind,
} from './act-corrections.store.js';
import { updateTopic, type UpdateKind, type UpdatePayload } from './operation-update.js';

/** Kind of the update by the kind of record that changed; OTHER for any other record. */
const kinds: Readonly<Record<string, UpdateKind>> = {
  unitPrices: 'PU',
  payments: 'PAYMENT',
  documents: 'DOCUMENT',
  communications: 'COMMUNICATION',
};

type Content = Omit<UpdatePayload, 'operationId' | 'ticker' | 'occurredAt' | 'actId'>;

/** Writes, in the act's transaction, for each public operation and kind, an event for each series, one for what belongs to no series, and the same for corrections. */
export async function announceUpdates(
  context: Context,
  effects: ReadonlyMap<string, readonly Effect[]>,
): Promise<void> {
  const changed = sources.filter(({ kind }) => effects.has(kind.name));
  if (changed.length === 0) return;
  const affected = (name: string) => (effects.get(name) ?? []).flatMap((effect) => effect.affected ?? []);
  const operations = await context.manager.rows<{ id: string; ticker: string; act: string | null }>(
    'SELECT id, ticker, shared.version_act() AS act FROM issuances.operations WHERE is_public AND id = ANY($1)',
    [[...effects.keys()].flatMap(affected)],
  );
  const corrected = await readActCorrections(context, changed);
  const prices = await changedPrices(context, affected('unitPrices'));
  const records = await changedRecords(
    context,
    { PAYMENT: affected('payments'), DOCUMENT: affected('documents'), COMMUNICATION: affected('communications') },
    corrected.filter(({ kind }) => isRecordKind(kinds[kind])).flatMap(({ ids }) => ids),
  );
  const occurredAt = context.clock.now().toISOString();
  const today = civilDate(context.clock.now());
  const events = operations.flatMap(({ id: operationId, ticker, act }) => {
    const own = {
      corrected: corrected.filter(({ operation }) => operation === ticker),
      prices: prices.filter((one) => one.operationId === operationId),
      records: records.filter((one) => one.operationId === operationId),
    };
    const common = { operationId, ticker, occurredAt };
    return [
      ...newsOf(own).map((one) => ({ ...common, ...one })),
      ...correctionsOf(own, today).map((one) => ({ ...common, ...one, actId: act })),
    ];
  });
  await announceAll(
    context,
    events.map((payload: UpdatePayload) => ({ topic: updateTopic, key: payload.operationId, payload })),
  );
}

interface Changes {
  readonly corrected: readonly ActCorrections[];
  readonly prices: readonly ChangedPrices[];
  readonly records: readonly ChangedRecords[];
}

function newsOf({ corrected, prices, records }: Changes): Content[] {
  const correctedSeries = new Set(corrected.filter(({ kind }) => kind === 'unitPrices').flatMap(({ ids }) => ids));
  const ofPrices = prices.flatMap(({ seriesId, seriesTicker, added, changed }) => {
    const price = added ?? (correctedSeries.has(seriesId) ? null : changed);
    return price === null ? [] : [priceUpdate(seriesTicker, price, false)];
  });
  return [...ofPrices, ...records.filter(({ isCorrection }) => !isCorrection).map(recordUpdate)];
}

/** Returns the corrections, by kind. One without a day of its own is dated today. */
function correctionsOf({ corrected, prices, records }: Changes, today: string): Content[] {
  return [...groupBy(corrected, ({ kind }) => kinds[kind] ?? 'OTHER')].flatMap(([kind, all]): Content[] => {
    const correction = { reference: newestOf(all) ?? today, ids: all.flatMap(({ ids }) => ids) };
    if (kind === 'PU') return priceCorrections(correction, prices);
    if (!isRecordKind(kind)) return [bare(kind, correction.reference)];
    const changed = records.filter((one) => one.kind === kind && one.isCorrection);
    return recordCorrections(kind, correction, changed);
  });
}

/** Corrections of one kind: their newest day, and the ids of the series or records. */
interface Correction {
  readonly reference: string;
  readonly ids: readonly string[];
}

/** Series of which prices were removed, and none changed, share an event without a series. */
function priceCorrections({ reference, ids }: Correction, prices: readonly ChangedPrices[]): Content[] {
  const corrected = prices.filter(({ seriesId, changed }) => changed !== null && ids.includes(seriesId));
  const updates = corrected.flatMap(({ seriesTicker, changed }) =>
    changed === null ? [] : [priceUpdate(seriesTicker, changed, true)],
  );
  return corrected.length === ids.length ? updates : [...updates, bare('PU', reference)];
}

/** Removed records are in the event without a series. */
function recordCorrections(
  kind: RecordKind,
  { reference, ids }: Correction,
  changed: readonly ChangedRecords[],
): Content[] {
  const ofSeries = changed.filter(({ seriesTicker }) => seriesTicker !== null);
  const known = new Set(ofSeries.flatMap((one) => one.ids));
  const others = ids.filter((id) => !known.has(id)).slice(0, mostIds);
  return [
    ...ofSeries.map(recordUpdate),
    ...(others.length === 0 ? [] : [{ ...bare(kind, reference), entityIds: others }]),
  ];
}

const bare = (kind: UpdateKind, reference: string): Content => ({
  kind,
  reference,
  correction: true,
  seriesTicker: null,
  unitPrice: null,
  entityIds: [],
});

function priceUpdate(seriesTicker: string, { date, value }: { date: string; value: string }, correction: boolean) {
  return { kind: 'PU' as const, reference: date, correction, seriesTicker, unitPrice: value, entityIds: [] };
}

function recordUpdate({ kind, seriesTicker, isCorrection, newest, ids }: ChangedRecords): Content {
  return { kind, reference: newest, correction: isCorrection, seriesTicker, unitPrice: null, entityIds: ids };
}

function newestOf(all: readonly ActCorrections[]): string | null {
  return all.reduce<string | null>(
    (known, { newest }) => (known === null || (newest !== null && newest > known) ? newest : known),
    null,
  );
}

function isRecordKind(kind: UpdateKind | undefined): kind is RecordKind {
  return recordKinds.some((known) => known === kind);
}
