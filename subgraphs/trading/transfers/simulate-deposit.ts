import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { findWallet } from '../profiles/profile.store.js';
import type { SimulatedCustody } from './custody/simulated/simulated-custody.js';
import { requireAddresses } from './deposits/deposits.acts.js';
import { wakeTransfers } from './wake.js';

export interface SimulatedCustodies {
  readonly real: SimulatedCustody | undefined;
  readonly synthetic: SimulatedCustody;
}

export interface SimulatedDeposit {
  readonly companyId: string;
  /** Null for the company's own wallet. */
  readonly profileId: string | null;
  readonly synthetic: boolean;
  readonly currency: string;
  /** Null for the default network of the currency. */
  readonly network: string | null;
  /** Decimal text, above zero. */
  readonly amount: string;
}

/** Returns the transaction. @throws {ApiError} BAD_REQUEST; NOT_FOUND for an unknown company or profile; CONFLICT where the custody is not simulated */
export async function simulateDeposit(
  context: Context,
  custodies: SimulatedCustodies,
  { companyId, profileId, synthetic, currency, network, amount }: SimulatedDeposit,
): Promise<string> {
  const custody = synthetic ? custodies.synthetic : custodies.real;
  if (custody === undefined)
    throw new ApiError('CONFLICT', {
      message: 'Custody of real funds is not simulated here: only synthetic deposits can be simulated',
    });
  if (!new Decimal(amount).greaterThan(0)) refuse('BAD_REQUEST', [errorAt('amount', 'AMOUNT_POSITIVE')]);
  return inTransaction(context, async (tx) => {
    const isForm = isUuid(companyId) && (profileId === null || isUuid(profileId));
    const wallet = isForm ? await findWallet(tx, { companyId, profileId, synthetic }) : undefined;
    if (wallet === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such company or profile' });
    const both = { real: custody, synthetic: custody };
    const [first] = await requireAddresses(tx, both, wallet, { currency, network });
    if (first === undefined) throw new Error('A currency has no network');
    const deposit = { currency, network: first.network.name, address: first.address, amount };
    const transaction = await custody.receive(tx, deposit);
    wakeTransfers(tx);
    return transaction;
  });
}
