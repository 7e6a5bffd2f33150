import type { Config } from '../../../shared/config.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { ApiError, refuse, requireFound, type ErrorDetail } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { tranchesByTicker } from '../tranches/tranche.store.js';
import { parseAddress } from './address.js';
import { collectionsOfTranches, insertCollection, type CollectionRow } from './collection.store.js';

export interface CollectionInput {
  readonly trancheTicker: string;
  readonly address: string;
  /** The block in which the contract was deployed; events are read from there on. */
  readonly deployedBlock: number;
}

/**
 * Registers the contract whose tokens are the units of a series. Repeating it returns the same result.
 * @param chain the configured chain
 * @throws {ApiError} UNPROCESSABLE without a chain or for an address with a wrong checksum, NOT_FOUND for an unknown series,
 *   CONFLICT when the series has another contract, or the contract another series
 */
export async function registerCollection(
  context: Context,
  chain: Config['chain'],
  { trancheTicker, address: given, deployedBlock }: CollectionInput,
): Promise<CollectionRow> {
  if (chain === undefined)
    throw new ApiError('UNPROCESSABLE', { message: 'No chain is configured: set CHAIN_ID and CHAIN_NETWORK first' });
  const address = await parseAddress(given, 'address');
  const errors: ErrorDetail[] = deployedBlock < 0 ? [{ path: 'deployedBlock', message: 'must not be negative' }] : [];
  refuse('BAD_REQUEST', errors);
  const tranche = requireFound(
    await loaderOf(context, tranchesByTicker).load(trancheTicker),
    `There is no series ${trancheTicker}`,
  );
  const { id: chainId, network } = chain;
  const explorerUrl = chain.explorerUrl?.replaceAll('{address}', address) ?? null;
  const made = { id: newId(context.clock.now().getTime()), trancheId: tranche.id, chainId, network, address };
  await insertCollection(context, { ...made, explorerUrl, deployedBlock });
  const [stands] = await collectionsOfTranches(context, [tranche.id]);
  const same =
    stands?.address === address && stands.chainId === chainId && Number(stands.deployedBlock) === deployedBlock;
  if (!same)
    throw new ApiError('CONFLICT', {
      message:
        stands === undefined
          ? 'The contract belongs to another series'
          : 'The series already has a contract, at another address or from another block',
    });
  return stands;
}
