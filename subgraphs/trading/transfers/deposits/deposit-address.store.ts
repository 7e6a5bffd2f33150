import type { Context } from '../../../../shared/context.js';
import { networks } from '../networks.js';
import type { CustodyAddress } from '../custody/custody.js';

export interface DepositAddressRow extends CustodyAddress {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly network: string;
}

/** Lists the addresses of a wallet. */
export function listAddresses({ manager }: Context, walletId: string): Promise<DepositAddressRow[]> {
  return manager.rows(
    `SELECT wallet_id AS "walletId", synthetic, network, address, memo FROM trading.deposit_addresses WHERE wallet_id = $1`,
    [walletId],
  );
}

/** Stores an address; an existing one stays. */
export async function insertAddress({ manager, clock }: Context, row: DepositAddressRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.deposit_addresses (wallet_id, synthetic, network, address, memo, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (wallet_id, network) DO NOTHING`,
    [row.walletId, row.synthetic, row.network, row.address, row.memo, clock.now()],
  );
}

/** Whether an address, in any of its spellings, is one for deposits to the house: of any wallet, on any network, real or synthetic. */
export async function isHouseAddress({ manager }: Context, spellings: readonly string[]): Promise<boolean> {
  const row = await manager.one<{ known: boolean }>(
    `SELECT EXISTS (SELECT FROM trading.deposit_addresses
       WHERE synthetic = ANY ('{false,true}') AND network = ANY ($1) AND address = ANY ($2)) AS known`,
    [[...new Set(networks.map(({ name }) => name))], spellings],
  );
  return row.known;
}

/** Finds the wallet that an address belongs to; undefined if there is none. */
export function findAddressOwner(
  { manager }: Context,
  { synthetic, network, address, memo }: Omit<DepositAddressRow, 'walletId'>,
): Promise<string | undefined> {
  return manager.value(
    `SELECT wallet_id AS "walletId" FROM trading.deposit_addresses
     WHERE synthetic = $1 AND network = $2 AND address = $3 AND memo IS NOT DISTINCT FROM $4`,
    [synthetic, network, address, memo],
  );
}
