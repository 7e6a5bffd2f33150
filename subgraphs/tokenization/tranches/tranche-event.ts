import type { DomainEvent } from '../../../shared/events/outbox/outbox.js';
import type { TrancheStatus } from './tranche.js';

export interface MovedTranche {
  readonly trancheTicker: string;
  readonly patrimonyTicker: string;
  readonly previousStatus: TrancheStatus;
  readonly status: TrancheStatus;
}

export function trancheEvent({ trancheTicker, patrimonyTicker, previousStatus, status }: MovedTranche): DomainEvent {
  const data = { trancheTicker, patrimonyTicker, previousStatus, status };
  return { topic: 'tranche.status_changed', key: trancheTicker, payload: { ownerId: null, data } };
}
