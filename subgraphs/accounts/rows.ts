import { AccountRow } from './accounts/account.entity.js';
import { FollowRow } from './follows/follow.entity.js';
import { OneTimeTokenRow } from './tokens/one-time-token.entity.js';

/** The rows that TypeORM reads and writes by key. Apart from the domain, since a connection needs them first. */
export const accountsEntities = [AccountRow, OneTimeTokenRow, FollowRow];
