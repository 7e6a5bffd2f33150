import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { removeFactor, type ChangeParts, type FactorChange } from './change-factors.js';
import { passkeyRemovedMail } from './factor.mails.js';
import { deletePasskey } from './passkey.store.js';

/** Removes a passkey of the caller. @throws {ApiError} NOT_FOUND, and CONFLICT for the last factor of an owner who must have one */
export async function removePasskey(
  context: Context,
  parts: ChangeParts,
  { id, isRequired }: { readonly id: string; readonly isRequired: boolean },
): Promise<void> {
  const change: FactorChange = { action: 'removePasskey', mail: passkeyRemovedMail };
  await removeFactor(context, parts, change, {
    isRequired,
    remove: async (tx, owner) => {
      const name = isUuid(id) ? await deletePasskey(tx, owner.id, id) : undefined;
      if (name === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such passkey' });
      return { name };
    },
  });
}
