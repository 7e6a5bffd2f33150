import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import {
  listCollections,
  listEvents,
  type ChainEventRow,
  type CollectionRow,
  collectionsOfTranches,
  insertCollection,
  findCollection,
  lockCollection,
  type CollectionPlace,
  forgetCollections,
} from './collection.store.js';
import type { Config } from '../../../shared/kernel/config.js';
import { ApiError, refuse, requireFound, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { tranchesByTicker } from '../tranches/tranche.store.js';
import { inTransaction } from '../../../shared/database/transaction.js';

/** Orders by the ticker of their series. @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor */
export async function pageCollections(
  context: Context,
  codec: CursorCodec,
  request: PageInput,
): Promise<ListPage<CollectionRow>> {
  const page = openPage(codec, request, { scope: 'contracts' });
  return page.take(await listCollections(context, page), ({ trancheTicker }) => [trancheTicker.toLowerCase()]);
}

/** Lists the newest first; new events cause no gaps or repetitions. @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor */
export async function pageEvents(
  context: Context,
  codec: CursorCodec,
  collectionId: string,
  request: PageInput,
): Promise<ListPage<ChainEventRow>> {
  const page = openPage(codec, request, { scope: `events of ${collectionId}` });
  const [block, logIndex] = page.position;
  const before = block === undefined || logIndex === undefined ? undefined : { block, logIndex };
  const found = await listEvents(context, collectionId, { limit: page.limit, before });
  return page.take(found, (event) => [event.block, String(event.logIndex)]);
}

export interface CollectionInput {
  readonly trancheTicker: string;
  readonly address: string;
  /** The block in which the contract was deployed; events are read from there on. */
  readonly deployedBlock: number;
}

/** Its tokens are the units of a series; a repetition returns the same result. @throws {ApiError} UNPROCESSABLE without a chain or for a wrong checksum, NOT_FOUND, CONFLICT for another pair */
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

/** The next run reads all its events again. Operators use it once the cause of a difference is known. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export function rereadCollection(context: Context, place: CollectionPlace): Promise<CollectionRow> {
  requireAddress(place.address, 'address');
  return inTransaction(context, async (tx) => {
    const id = await lockCollection(tx, place);
    if (id !== undefined) await forgetCollections(tx, [id]);
    const collection = requireFound(await findCollection(tx, place), 'There is no such contract');
    tx.log.info({ address: collection.address }, 'A token contract is read again from its first block');
    return collection;
  });
}

const form = /^0x[0-9a-fA-F]{40}$/;

/** Checks EIP-55; a lower-case address has no checksum and is accepted as it is. @param argument the caller's name for it @throws {ApiError} BAD_REQUEST, UNPROCESSABLE for a wrong checksum */
async function parseAddress(text: string, argument: string): Promise<string> {
  requireAddress(text, argument);
  const { getAddress, isAddress } = await import('viem/utils');
  if (!isAddress(text, { strict: true })) {
    refuse('UNPROCESSABLE', [{ path: argument, message: 'has a wrong checksum (EIP-55)' }]);
  }
  return getAddress(text);
}

/** @throws {ApiError} BAD_REQUEST for an invalid address */
export function requireAddress(text: string, argument: string): void {
  if (form.test(text)) return;
  refuse('BAD_REQUEST', [{ path: argument, message: 'must be an address: 0x and 40 hexadecimal digits' }]);
}
