import { requireReason } from '../../../shared/kernel/reason.js';
import type { UploadedFile } from './uploaded-file.js';

export interface ImportWish {
  readonly files: readonly UploadedFile[];
  /** Why settled records are changed. */
  readonly reason: string | null | undefined;
}

/** @throws {ApiError} BAD_REQUEST for a text that is no reason */
export function givenReason({ reason }: ImportWish): string | undefined {
  return reason == null ? undefined : requireReason(reason);
}
