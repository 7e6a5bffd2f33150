import { ApiError } from '../../../shared/kernel/errors.js';

/** Statuses of a batch, of credits and of settlements alike (docs/contract/credit-assignment.md §2.4). */
export const batchStatuses = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export type BatchEvent = 'ADD' | 'EDIT' | 'SUBMIT' | 'CANCEL' | 'BEGIN' | 'REJECT' | 'COMPLETE';

/** The transitions of a batch. PROCESSED, REJECTED and CANCELLED are final. */
export const batchTransitions: Readonly<Record<BatchStatus, Readonly<Partial<Record<BatchEvent, BatchStatus>>>>> = {
  DRAFT: { ADD: 'DRAFT', EDIT: 'DRAFT', SUBMIT: 'SUBMITTED', CANCEL: 'CANCELLED' },
  SUBMITTED: { CANCEL: 'CANCELLED', BEGIN: 'PROCESSING' },
  PROCESSING: { REJECT: 'REJECTED', COMPLETE: 'PROCESSED' },
  PROCESSED: {},
  REJECTED: {},
  CANCELLED: {},
};

const done: Readonly<Record<BatchEvent, string>> = {
  ADD: 'added to',
  EDIT: 'changed',
  SUBMIT: 'submitted',
  CANCEL: 'cancelled',
  BEGIN: 'processed',
  REJECT: 'rejected',
  COMPLETE: 'completed',
};

/** @throws {ApiError} BATCH_STATUS when the event cannot happen in that status */
export function transition(status: BatchStatus, event: BatchEvent): BatchStatus {
  const next = batchTransitions[status][event];
  if (next !== undefined) return next;
  throw new ApiError('BATCH_STATUS', { message: `A batch that is ${status} cannot be ${done[event]}` });
}
