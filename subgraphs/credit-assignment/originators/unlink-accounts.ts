import { onAccountsDeleted } from '../../../shared/events/outbox/outbox.js';
import { unlinkOriginators } from './originator.store.js';

/** Unlinks originators from deleted accounts, in the relay's transaction; their batches stay. */
export const unlinkAccounts = onAccountsDeleted(unlinkOriginators);
