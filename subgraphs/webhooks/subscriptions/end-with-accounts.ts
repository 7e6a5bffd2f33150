import { onAccountsDeleted } from '../../../shared/events/outbox/payloads.js';
import { removeSubscriptionsOf } from './subscription.store.js';

/** Deletes the subscriptions of deleted accounts, in the relay's transaction. */
export const endWithAccounts = onAccountsDeleted(removeSubscriptionsOf);
