import type { Context } from '../../../shared/context.js';
import type { Member } from '../../../shared/database/group-commit.js';
import type { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { withinFunds, type Giving } from '../ledger/within-funds.js';
import type { Terms } from '../profiles/wallet.store.js';
import type { Desk } from './desk.js';
import { requireWithinLimits } from './order-limits.js';
import type { OrderRow } from './order.store.js';

/** A trade's demand on the limits of its company, and on the funds of its wallet. */
export interface Demand {
  readonly desk: Desk;
  readonly terms: Terms;
  readonly order: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic' | 'quote'>;
  /** Its worst-case value in its quote currency; undefined where nothing is traded. */
  readonly value: Decimal | undefined;
  /** The client's payment; undefined where nothing is traded. */
  readonly giving: Giving | undefined;
}

/**
 * Returns the members of a group that are within the limits of their companies, and whose wallets appear to have the funds, so that one failure does not undo
 * the others: the ledger decides. A single member goes on to the ledger.
 * @throws {ApiError} UNPROCESSABLE for a single member beyond a limit
 */
export async function fittingOf<Item>(
  tx: Context,
  members: readonly Member<Item>[],
  demandOf: (item: Item) => Demand,
): Promise<Member<Item>[]> {
  const within: { readonly member: Member<Item>; readonly giving: Giving | undefined }[] = [];
  for (const member of members) {
    const { desk, terms, order, value, giving } = demandOf(member.item);
    try {
      if (value !== undefined) await requireWithinLimits(tx, desk, terms, order, value);
      within.push({ member, giving });
    } catch (error) {
      if (members.length === 1 || !(error instanceof ApiError)) throw error;
    }
  }
  if (members.length === 1) return within.map(({ member }) => member);
  const all = within.flatMap(({ giving }) => giving ?? []);
  const funded = await withinFunds(tx, all);
  const lacking = new Set(all.filter((_, index) => funded[index] !== true));
  return within.flatMap(({ member, giving }) => (giving !== undefined && lacking.has(giving) ? [] : [member]));
}
