import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { tellWriteOff } from '../assignments/tell-write-off.js';
import { lockAsset, saveAsset } from './asset-writes.store.js';
import { assetEvent } from './asset-event.js';
import { assetTransitions } from './asset-transitions.js';
import type { AssetRow } from './asset.store.js';

/**
 * Writes a credit off as unrecoverable, permanently, and announces it; its balance stays on record. Repeating it changes
 * nothing and is no error. The originator of an assigned credit may assign a contract of the same external id again.
 * @throws {ApiError} NOT_FOUND for an unknown asset, CONFLICT for a settled one
 */
export async function writeOffAsset(context: Context, assetId: string): Promise<AssetRow> {
  return inTransaction(context, async (tx) => {
    const asset = await lockAsset(tx, assetId);
    const status = asset.status === 'WRITTEN_OFF' ? asset.status : assetTransitions[asset.status].WRITE_OFF;
    if (status === undefined)
      throw new ApiError('CONFLICT', { message: `The asset is ${asset.status} and cannot be written off` });
    await tellWriteOff(tx, asset);
    if (status === asset.status) return asset;
    const writtenOff = { ...asset, status };
    await saveAsset(tx, writtenOff);
    await announce(tx, assetEvent(writtenOff, asset.status, status));
    await recordAudit(tx, {
      action: 'writeOffAsset',
      subject: { type: 'asset', id: asset.id },
      before: { status: asset.status, currentBalance: asset.currentBalance },
      after: { status, currentBalance: asset.currentBalance },
    });
    return writtenOff;
  });
}
