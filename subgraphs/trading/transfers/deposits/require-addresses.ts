import type { Context } from '../../../../shared/kernel/context.js';
import { refuse } from '../../../../shared/kernel/errors.js';
import { errorAt } from '../../../../shared/kernel/rule-error.js';
import { custodyOf, type Custodies, type Custody } from '../custody/custody.js';
import { networksOf, transferCurrencies, type Network } from '../networks.js';
import { insertAddress, listAddresses, type DepositAddressRow } from './deposit.store.js';

/** An address of a wallet, and its network. */
export interface DepositAddress {
  readonly network: Network;
  readonly address: string;
  readonly memo: string | null;
}

export interface AddressRequest {
  readonly currency: string;
  /** Null for every network of the currency. */
  readonly network: string | null;
}

/**
 * Returns the addresses for a wallet's deposits of a currency. An address is stored on the first request, and never changes.
 * @throws {ApiError} BAD_REQUEST for an unknown currency or network; UNAVAILABLE where no custody is connected
 */
export async function requireAddresses(
  context: Context,
  custodies: Custodies,
  wallet: { readonly id: string; readonly synthetic: boolean },
  { currency, network }: AddressRequest,
): Promise<DepositAddress[]> {
  const wanted = requireNetworks(currency, network);
  // Checked before the stored addresses, which may belong to a custody that is not connected any more.
  const custody = custodyOf(custodies, wallet.synthetic);
  const known = new Map((await listAddresses(context, wallet.id)).map((row) => [row.network, row]));
  const result: DepositAddress[] = [];
  for (const one of wanted) {
    const row = known.get(one.name) ?? (await assign(context, custody, wallet, one));
    result.push({ network: one, address: row.address, memo: row.memo });
  }
  return result;
}

function requireNetworks(currency: string, name: string | null): readonly Network[] {
  const all = networksOf(currency);
  if (all.length === 0)
    refuse('BAD_REQUEST', [errorAt('currency', 'NOT_DEPOSITABLE', { known: transferCurrencies.join(', ') })]);
  const wanted = name === null ? all : all.filter((network) => network.name === name);
  const names = all.map((network) => network.name).join(', ');
  if (wanted.length === 0) refuse('BAD_REQUEST', [errorAt('network', 'ONE_OF', { known: names })]);
  return wanted;
}

async function assign(
  context: Context,
  custody: Custody,
  { id: walletId, synthetic }: { readonly id: string; readonly synthetic: boolean },
  { currency, name: network }: Network,
): Promise<DepositAddressRow> {
  const made = await custody.depositAddress(context, { walletId, currency, network });
  const row = { walletId, synthetic, network, ...made };
  await insertAddress(context, row);
  return row;
}
