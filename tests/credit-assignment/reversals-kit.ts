import { audited } from '../../shared/security/audit/record.js';
import type { Context } from '../../shared/kernel/context.js';
import type { PublishedEvent } from '../../shared/events/outbox/outbox.js';
import {
  recordAssetPayment,
  reverseAssetPayment,
  writeOffAsset,
} from '../../subgraphs/tokenization/assets/assets.acts.js';
import {
  renegotiateAsset,
  revertAssetRenegotiation,
  type RenegotiatedInstallment,
  type Renegotiation,
} from '../../subgraphs/tokenization/assignments/renegotiate-asset.js';
import { operator } from '../kit/context.js';

export function pay(context: Context, assetId: string, installmentNumber = 1) {
  return audited({ ...context, principal: { ...operator } }, { action: 'recordAssetPayment' }, (tx) =>
    recordAssetPayment(tx, assetId, installmentNumber, '2026-11-20'),
  );
}

/** An operator reverses the last payment of an instalment, or so much of what has come in of it. */
export function reverse(context: Context, assetId: string, paidAmount?: string, number = 1, amount?: string) {
  const amounts = { paidAmount: paidAmount ?? null, amount: amount ?? null };
  return audited({ ...context, principal: { ...operator } }, { action: 'reverseAssetPayment' }, (tx) =>
    reverseAssetPayment(tx, { assetId, installmentNumber: number, reason: 'returned', ...amounts }),
  );
}

export function writeOff(context: Context, assetId: string) {
  return audited({ ...context, principal: { ...operator } }, { action: 'writeOffAsset' }, (tx) =>
    writeOffAsset(tx, assetId),
  );
}

export function renegotiate(
  context: Context,
  assetId: string,
  installments: readonly RenegotiatedInstallment[],
  rate: Pick<Renegotiation, 'interestRate' | 'dayCount'> = {},
) {
  return audited({ ...context, principal: { ...operator } }, { action: 'renegotiateAsset' }, (tx) =>
    renegotiateAsset(tx, { assetId, installments, reason: 'cannot pay, says 529.982.247-25', ...rate }),
  );
}

/** An operator puts the schedule before the last one back; as often as given, all at once. */
export async function revertRenegotiation(context: Context, assetId: string, times = 1) {
  const renegotiationId = await context.manager.value<string>(
    'SELECT id::text FROM tokenization.renegotiations WHERE asset_id = $1 ORDER BY reverted_at IS NULL DESC, first_number DESC LIMIT 1',
    [assetId],
  );
  const wish = { assetId, renegotiationId: renegotiationId ?? '', reason: 'a mistake' };
  const revert = () =>
    audited({ ...context, principal: { ...operator } }, { action: 'revertAssetRenegotiation' }, (tx) =>
      revertAssetRenegotiation(tx, wish),
    );
  return Promise.all(Array.from({ length: times }, revert));
}

/** The events of a key, oldest first, and whether the relay has handed each of them on. */
export function eventsOf(
  { manager }: Context,
  key: string,
  topics: readonly string[] = ['assets.paid', 'assets.payment_reversed'],
): Promise<(PublishedEvent & { readonly isPublished: boolean })[]> {
  return manager.rows(
    `SELECT id, position::integer AS sequence, topic, key, payload, created_at AS "createdAt", published_at IS NOT NULL AS "isPublished"
     FROM shared.outbox WHERE topic = ANY ($1) AND key = $2 ORDER BY position`,
    [topics, key],
  );
}
