import type { DomainEvent } from '../../../shared/outbox/outbox.js';
import type { MovedAsset } from './asset-writes.store.js';
import type { AssetStatus } from './asset.js';

/** Builds the event for a credit whose status changed. */
export function assetEvent(asset: MovedAsset, previousStatus: AssetStatus, status: AssetStatus): DomainEvent {
  const { id: assetId, externalId, patrimonyId, currentBalance } = asset;
  const data = { assetId, externalId, patrimonyId, previousStatus, status, currentBalance };
  return { topic: 'contract.status_changed', key: assetId, payload: { ownerId: null, data } };
}
