import { requireReason } from '../../../shared/kernel/reason.js';
import type { UploadedFile } from './uploaded-file.js';

/** What an operator wants to import. */
export interface ImportWish {
  readonly files: readonly UploadedFile[];
  /** Why settled records are changed. */
  readonly reason: string | null | undefined;
}

/**
 * Returns the reason of an import, if one was given.
 * @throws {ApiError} BAD_REQUEST for one that is none
 */
export function givenReason({ reason }: ImportWish): string | undefined {
  return reason == null ? undefined : requireReason(reason);
}
