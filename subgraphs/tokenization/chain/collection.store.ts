import type { Shape } from '../../../shared/graphql/shape.js';
import type { DeveloperContractEvent, TokenCollection } from './collection.type.js';
import type { Context } from '../../../shared/kernel/context.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import { groupBy, itemsOf, valuesOf } from '../../../shared/kernel/group-by.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import type { ChainEvent } from './scan.store.js';

/** The token contract of a series. Numbers of tokens and blocks are text. */
export interface CollectionRow extends Omit<Shape<TokenCollection>, 'standard'> {
  readonly trancheId: string;
  readonly problem: string | null;
}

/** SQL that selects the series `t` whose contracts are visible: operators also see contracts of withdrawn series, since a contract stays on its chain. */
function shownTranches({ principal }: Context): string {
  return hasRole(principal, 'read')
    ? `(SELECT id, ticker, token_quantity FROM tokenization.tranches
        UNION ALL SELECT id, ticker, token_quantity FROM tokenization.withdrawn_tranches) t`
    : 'tokenization.tranches t';
}

const rowsOf = (
  context: Context,
) => `SELECT c.id, c.tranche_id AS "trancheId", t.ticker AS "trancheTicker", t.token_quantity AS "tokenQuantity",
    c.chain_id AS "chainId", c.network, c.address, c.explorer_url AS "explorerUrl", c.deployed_block AS "deployedBlock",
    c.deployed_at AS "deployedAt", c.name, c.symbol, c.total_supply AS "totalSupply", c.read_block AS "readBlock",
    c.read_at AS "readAt", c.problem,
    coalesce((SELECT max(e.block_number) FROM tokenization.chain_events e WHERE e.collection_id = c.id), -1)
      <= coalesce(chain.final_block, -1) AS final
  FROM tokenization.collections c JOIN ${shownTranches(context)} ON t.id = c.tranche_id
  LEFT JOIN tokenization.chains chain ON chain.chain_id = c.chain_id`;

/** Returns the contracts of the given series, in the order of the series. */
export async function collectionsOfTranches(
  context: Context,
  trancheIds: readonly string[],
): Promise<(CollectionRow | undefined)[]> {
  const found = await context.manager.rows<CollectionRow>(`${rowsOf(context)} WHERE c.tranche_id = ANY ($1)`, [
    trancheIds,
  ]);
  return itemsOf(trancheIds, found, ({ trancheId }) => trancheId);
}

export interface CollectionPlace {
  /** In any case. */
  readonly address: string;
  /** The preferred chain if several have a contract at this address; without a match, the contract registered last is returned. */
  readonly chainId: number | undefined;
}

const atPlace = `WHERE lower(c.address) = lower($1) ORDER BY (c.chain_id = $2) DESC NULLS LAST, c.created_at DESC, c.id DESC LIMIT 1`;

export function findCollection(
  context: Context,
  { address, chainId }: CollectionPlace,
): Promise<CollectionRow | undefined> {
  return context.manager.row(`${rowsOf(context)} ${atPlace}`, [address, chainId ?? null]);
}

/** Locks a contract against concurrent reading of its events. @returns its id */
export function lockCollection(
  { manager }: Context,
  { address, chainId }: CollectionPlace,
): Promise<string | undefined> {
  return manager.value(`SELECT c.id FROM tokenization.collections c ${atPlace} FOR UPDATE`, [address, chainId ?? null]);
}

/** Returns contracts ordered by the lower-case ticker of their series, one more than the page holds if there are more. */
export function listCollections(context: Context, { limit, after, backward }: PageRange): Promise<CollectionRow[]> {
  const { beyond, direction } = keyset('ASC', { backward });
  return context.manager.rows<CollectionRow>(
    `${rowsOf(context)} WHERE $1::text IS NULL OR lower(t.ticker) ${beyond} $1 ORDER BY lower(t.ticker) ${direction} LIMIT $2`,
    [after ?? null, limit + 1],
  );
}

export function countCollections(context: Context): Promise<number> {
  return context.manager.countRows(
    `SELECT count(*)::int AS count FROM tokenization.collections c JOIN ${shownTranches(context)} ON t.id = c.tranche_id`,
  );
}

export type ChainEventRow = Omit<Shape<DeveloperContractEvent>, 'tokenIds' | 'tokenQuantity'>;

export interface EventPlace {
  readonly block: string;
  readonly logIndex: string;
}

/** Returns the events before a place, newest first, one more than the page holds if there are more. */
export function listEvents(
  { manager }: Context,
  collectionId: string,
  { limit, before }: { readonly limit: number; readonly before: EventPlace | undefined },
): Promise<ChainEventRow[]> {
  return manager.rows<ChainEventRow>(
    `SELECT e.block_number AS block, e.log_index AS "logIndex", e.transaction_hash AS transaction, e.type,
       e.from_address AS "from", e.to_address AS "to", e.first_token_id AS "firstTokenId", e.last_token_id AS "lastTokenId",
       e.occurred_at AS "occurredAt", e.block_number <= coalesce(chain.final_block, -1) AS final
     FROM tokenization.chain_events e LEFT JOIN tokenization.chains chain ON chain.chain_id = e.chain_id
     WHERE e.collection_id = $1 AND ($2::bigint IS NULL OR (e.block_number, e.log_index) < ($2, $3::integer))
     ORDER BY e.block_number DESC, e.log_index DESC LIMIT $4`,
    [collectionId, before?.block ?? null, before?.logIndex ?? null, limit + 1],
  );
}

export type NewCollection = Pick<
  CollectionRow,
  'id' | 'trancheId' | 'chainId' | 'network' | 'address' | 'explorerUrl'
> & { readonly deployedBlock: number };

/** Returns false when the series already has a contract or the address is already taken. */
export async function insertCollection({ manager, clock }: Context, made: NewCollection): Promise<boolean> {
  const fields = valuesOf(made, 'id', 'trancheId', 'chainId', 'network', 'address', 'explorerUrl', 'deployedBlock');
  const stored = await manager.execute(
    `INSERT INTO tokenization.collections (id, tranche_id, chain_id, network, address, explorer_url, deployed_block,
       scanned_block, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::bigint, $7::bigint - 1, $8) ON CONFLICT DO NOTHING`,
    [...fields, clock.now()],
  );
  return stored > 0;
}

export type DemoTranche = Pick<TrancheRow, 'id' | 'ticker' | 'name' | 'tokenQuantity'>;

export function tranchesForDemo({ manager }: Context, limit: number): Promise<DemoTranche[]> {
  return manager.rows<DemoTranche>(
    `SELECT id, ticker, name, token_quantity AS "tokenQuantity" FROM tokenization.tranches
     WHERE status = 'ACTIVE' ORDER BY lower(ticker) LIMIT $1`,
    [limit],
  );
}

/** Locks the collections that are known beyond a block, and returns each with its number of inconsistent movements. */
export function lockBeyond(
  { manager }: Context,
  chainId: number,
  block: bigint,
): Promise<{ readonly id: string; readonly gaps: number }[]> {
  return manager.rows(
    `SELECT id, gaps FROM tokenization.collections WHERE chain_id = $1 AND scanned_block > $2 ORDER BY id FOR UPDATE`,
    [chainId, block],
  );
}

export type UndoneEvent = Pick<ChainEvent, 'collectionId' | 'from' | 'to' | 'firstTokenId' | 'lastTokenId'>;

export async function deleteEventsBeyond(
  { manager }: Context,
  ids: readonly string[],
  block: bigint,
): Promise<UndoneEvent[]> {
  const rows = await manager.rows<{ id: string; from: string; to: string; first: string; last: string }>(
    `WITH gone AS (
       DELETE FROM tokenization.chain_events WHERE collection_id = ANY ($1) AND block_number > $2 RETURNING *)
     SELECT collection_id AS id, from_address AS "from", to_address AS "to", first_token_id AS first, last_token_id AS last
     FROM gone ORDER BY block_number, log_index`,
    [ids, block],
  );
  return rows.map(({ id, from, to, first, last }) => ({
    collectionId: id,
    from,
    to,
    firstTokenId: BigInt(first),
    lastTokenId: BigInt(last),
  }));
}

/** Sets a chain and some of its collections back to a block; `changed` lists those that lost events. */
export async function setBack(
  { manager }: Context,
  chainId: number,
  block: bigint,
  ids: readonly string[],
  changed: readonly string[],
): Promise<void> {
  await manager.execute('DELETE FROM tokenization.chain_blocks WHERE chain_id = $1 AND number > $2', [chainId, block]);
  await manager.execute(
    `UPDATE tokenization.collections SET scanned_block = greatest($2::bigint, deployed_block - 1), checked_at = NULL,
       revision = revision + (id = ANY ($3::uuid[]))::integer
     WHERE id = ANY ($1)`,
    [ids, block, changed],
  );
}

/** Deletes all stored chain data of collections, so that they are read from the beginning. */
export async function forgetCollections({ manager }: Context, ids: readonly string[]): Promise<void> {
  await manager.execute('DELETE FROM tokenization.chain_events WHERE collection_id = ANY ($1)', [ids]);
  await manager.execute('DELETE FROM tokenization.token_ranges WHERE collection_id = ANY ($1)', [ids]);
  await manager.execute(
    `UPDATE tokenization.collections SET scanned_block = deployed_block - 1, checked_at = NULL, gaps = 0, problem = NULL,
       revision = revision + 1 WHERE id = ANY ($1)`,
    [ids],
  );
}

export interface AnnouncedCollection extends Pick<
  CollectionRow,
  'id' | 'trancheTicker' | 'chainId' | 'network' | 'address' | 'tokenQuantity' | 'explorerUrl'
> {
  /** Grows with every change: of two announcements the one with the greater number is current. */
  readonly revision: number;
  readonly standard: string;
  readonly name: string;
  readonly symbol: string;
  readonly totalSupply: string;
  readonly deployedAt: string;
}

/** Locks collections with changes that are not announced yet, or that were last announced before `before`. */
export async function takeUnannounced(
  { manager }: Context,
  chainId: number,
  due: { readonly at: bigint; readonly before: Date; readonly limit: number },
): Promise<AnnouncedCollection[]> {
  const rows = await manager.rows<
    Omit<AnnouncedCollection, 'revision' | 'deployedAt'> & { revision: string; deployedAt: Date }
  >(
    `SELECT c.id, t.ticker AS "trancheTicker", c.revision, c.chain_id AS "chainId", c.network, c.address,
       'ERC-721A' AS standard, c.name, c.symbol, t.token_quantity AS "tokenQuantity", c.total_supply AS "totalSupply",
       c.deployed_at AS "deployedAt", c.explorer_url AS "explorerUrl"
     FROM tokenization.collections c JOIN tokenization.tranches t ON t.id = c.tranche_id
     WHERE c.chain_id = $1 AND c.scanned_block = $2 AND c.read_at IS NOT NULL
       AND (c.revision > c.announced_revision OR c.announced_at < $3)
     ORDER BY c.id LIMIT $4 FOR UPDATE OF c SKIP LOCKED`,
    [chainId, due.at, due.before, due.limit],
  );
  return rows.map((row) => ({ ...row, revision: Number(row.revision), deployedAt: row.deployedAt.toISOString() }));
}

/** The last events of a collection, newest first, and the block from which on they are complete. */
export interface LastEvents {
  readonly fromBlock: number;
  readonly events: readonly {
    readonly transactionHash: string;
    readonly logIndex: number;
    readonly blockNumber: number;
    readonly type: string;
    readonly from: string;
    readonly to: string;
    readonly tokenQuantity: string;
    readonly occurredAt: string;
  }[];
}

/** Number of events to return, plus all other events in the block of the oldest. */
const lastCount = 100;
/** Above this number the oldest block is left out. */
const maxEvents = 1000;

export async function lastEvents({ manager }: Context, ids: readonly string[]): Promise<Map<string, LastEvents>> {
  const rows = await manager.rows<
    Omit<LastEvents['events'][number], 'blockNumber' | 'occurredAt'> & {
      id: string;
      blockNumber: string;
      occurredAt: Date;
    }
  >(
    `SELECT e.collection_id AS id, e.transaction_hash AS "transactionHash", e.log_index AS "logIndex",
       e.block_number AS "blockNumber", e.type, e.from_address AS "from", e.to_address AS "to",
       (e.last_token_id - e.first_token_id + 1)::text AS "tokenQuantity", e.occurred_at AS "occurredAt"
     FROM unnest($1::uuid[]) AS c (id) CROSS JOIN LATERAL (
       SELECT * FROM (
         SELECT * FROM tokenization.chain_events WHERE collection_id = c.id
         ORDER BY block_number DESC FETCH FIRST $2 ROWS WITH TIES) AS whole
       ORDER BY block_number DESC, log_index DESC LIMIT $3) AS e
     ORDER BY e.block_number DESC, e.log_index DESC`,
    [ids, lastCount, maxEvents + 1],
  );
  const found = rows.map(({ id, ...event }) => ({
    id,
    event: { ...event, blockNumber: Number(event.blockNumber), occurredAt: event.occurredAt.toISOString() },
  }));
  const byCollection = groupBy(found, ({ id }) => id);
  return new Map(ids.map((id) => [id, wholeBlocks((byCollection.get(id) ?? []).map(({ event }) => event))]));
}

function wholeBlocks(events: LastEvents['events']): LastEvents {
  const oldest = events.length < lastCount ? 0 : (events.at(-1)?.blockNumber ?? 0);
  if (events.length <= maxEvents) return { fromBlock: oldest, events };
  return { fromBlock: oldest + 1, events: events.filter(({ blockNumber }) => blockNumber > oldest) };
}

export async function markAnnounced({ manager, clock }: Context, ids: readonly string[]): Promise<void> {
  await manager.execute(
    'UPDATE tokenization.collections SET announced_revision = revision, announced_at = $2 WHERE id = ANY ($1)',
    [ids, clock.now()],
  );
}
