import type { DomainEvent } from '../../../shared/events/outbox/outbox.js';
import type { MovedAsset } from './asset-list.store.js';
import type { AssetStatus } from './asset.js';
import { maskTaxIdsIn } from './tax-ids-in-text.js';

/** Builds the event for a credit whose status changed. It is for everyone: tax ids in the external id are masked. */
export function assetEvent(asset: MovedAsset, previousStatus: AssetStatus, status: AssetStatus): DomainEvent {
  const { id: assetId, batchId, patrimonyId, currentBalance } = asset;
  const externalId = maskTaxIdsIn(asset.externalId, asset);
  const batch = batchId === null ? {} : { batchId };
  const data = {
    assetId,
    contractId: assetId,
    ...batch,
    externalId,
    patrimonyId,
    previousStatus,
    status,
    currentBalance,
  };
  return { topic: 'contract.status_changed', key: assetId, payload: { ownerId: null, data } };
}
