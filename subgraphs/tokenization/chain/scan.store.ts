import { arraysOf, groupBy } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { typeOf, type Movement } from './movement.js';
import type { Block, Description } from './node.js';
import type { TokenRange } from './token-ranges.js';

export interface ChainState {
  readonly finalBlock: bigint;
  readonly rangeBlocks: bigint;
}

export async function findChain({ manager }: Context, chainId: number): Promise<ChainState | undefined> {
  const row = await manager.row<{ finalBlock: string; rangeBlocks: number }>(
    'SELECT final_block AS "finalBlock", range_blocks AS "rangeBlocks" FROM tokenization.chains WHERE chain_id = $1',
    [chainId],
  );
  return row === undefined ? undefined : { finalBlock: BigInt(row.finalBlock), rangeBlocks: BigInt(row.rangeBlocks) };
}

/** Stores how far the chain has been read, and deletes blocks that are no longer needed to find a fork. */
export async function saveChain(
  { manager, clock }: Context,
  chainId: number,
  { head, finalBlock, rangeBlocks }: ChainState & { readonly head: bigint },
): Promise<void> {
  await manager.execute(
    `INSERT INTO tokenization.chains AS known (chain_id, head_block, final_block, range_blocks, read_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (chain_id) DO UPDATE SET head_block = EXCLUDED.head_block, range_blocks = EXCLUDED.range_blocks,
       final_block = greatest(known.final_block, EXCLUDED.final_block), read_at = EXCLUDED.read_at`,
    [chainId, head, finalBlock, rangeBlocks, clock.now()],
  );
  await manager.execute(
    `DELETE FROM tokenization.chain_blocks WHERE chain_id = $1 AND number < (
       SELECT max(number) FROM tokenization.chain_blocks WHERE chain_id = $1 AND number <= $2)`,
    [chainId, finalBlock],
  );
}

type KnownBlock = Pick<Block, 'number' | 'hash'>;

/** Returns the blocks used to find a fork, newest first. */
export async function knownBlocks(
  { manager }: Context,
  chainId: number,
  options: { readonly upTo?: bigint; readonly limit: number },
): Promise<KnownBlock[]> {
  const rows = await manager.rows<{ number: string; hash: string }>(
    `SELECT number, hash FROM tokenization.chain_blocks
     WHERE chain_id = $1 AND ($2::bigint IS NULL OR number <= $2) ORDER BY number DESC LIMIT $3`,
    [chainId, options.upTo ?? null, options.limit],
  );
  return rows.map(({ number, hash }) => ({ number: BigInt(number), hash }));
}

/** Returns whether the stored block of this number has this hash. */
export async function keepBlock({ manager }: Context, chainId: number, block: KnownBlock): Promise<boolean> {
  const rows = await manager.rows<{ hash: string }>(
    `INSERT INTO tokenization.chain_blocks AS known (chain_id, number, hash) VALUES ($1, $2, $3)
     ON CONFLICT (chain_id, number) DO UPDATE SET hash = known.hash RETURNING hash`,
    [chainId, block.number, block.hash],
  );
  return rows[0]?.hash === block.hash;
}

/** Collections whose events are known up to the same block. */
export interface ScanGroup {
  readonly scannedBlock: bigint;
  readonly collections: readonly { readonly id: string; readonly address: string }[];
  /** Position of the next group, if there is one before the end. */
  readonly nextScanned: bigint | undefined;
}

/** Selects the collections of a group: positions from one block on and before another, without some. */
export interface ScanRequest {
  readonly from: bigint;
  readonly end: bigint;
  readonly limit: number;
  readonly without: readonly string[];
}

/** Returns the collections that are furthest behind; undefined when all selected ones are read up to `end`. */
export async function nextScanGroup(
  { manager }: Context,
  chainId: number,
  { from, end, limit, without }: ScanRequest,
): Promise<ScanGroup | undefined> {
  const rows = await manager.rows<{ id: string; address: string; scanned: string; next: string | null }>(
    `WITH behind AS (
       SELECT id, address, scanned_block FROM tokenization.collections
       WHERE chain_id = $1 AND scanned_block >= $2 AND scanned_block < $3 AND NOT id = ANY ($4::uuid[]))
     SELECT id, address, scanned_block AS scanned,
       (SELECT min(scanned_block) FROM behind o WHERE o.scanned_block > c.scanned_block) AS next
     FROM behind c WHERE scanned_block = (SELECT min(scanned_block) FROM behind) ORDER BY id LIMIT $5`,
    [chainId, from, end, without, limit],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    scannedBlock: BigInt(first.scanned),
    collections: rows.map(({ id, address }) => ({ id, address })),
    nextScanned: first.next === null ? undefined : BigInt(first.next),
  };
}

/** Returns the position closest behind a block; undefined when no collection is behind. */
export async function nearestBehind({ manager }: Context, chainId: number, end: bigint): Promise<bigint | undefined> {
  const block = await manager.value<string | null>(
    'SELECT max(scanned_block) AS block FROM tokenization.collections WHERE chain_id = $1 AND scanned_block < $2',
    [chainId, end],
  );
  return block == null ? undefined : BigInt(block);
}

/** Stores a problem of collections; the check after their next read confirms or clears it. */
export async function noteProblem({ manager }: Context, ids: readonly string[], problem: string): Promise<void> {
  await manager.execute('UPDATE tokenization.collections SET problem = $2, checked_at = NULL WHERE id = ANY ($1)', [
    ids,
    problem,
  ]);
}

/** Locks collections, and returns how many of them are still known up to a block. */
export async function lockAtBlock({ manager }: Context, ids: readonly string[], scannedBlock: bigint): Promise<number> {
  const rows = await manager.rows<unknown>(
    `SELECT id FROM tokenization.collections WHERE id = ANY ($1) AND scanned_block = $2 ORDER BY id FOR UPDATE`,
    [ids, scannedBlock],
  );
  return rows.length;
}

export interface ChainEvent extends Movement {
  readonly collectionId: string;
  readonly occurredAt: Date;
}

export async function insertEvents({ manager }: Context, chain: number, events: readonly ChainEvent[]): Promise<void> {
  await manager.execute(
    `INSERT INTO tokenization.chain_events (chain_id, collection_id, block_hash, log_index, block_number, transaction_hash,
       type, from_address, to_address, first_token_id, last_token_id, occurred_at)
     SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::bigint[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::numeric[], $11::numeric[], $12::timestamptz[])`,
    [
      chain,
      ...arraysOf(events, 'collectionId', 'blockHash', 'logIndex', 'blockNumber', 'transactionHash'),
      events.map(typeOf),
      ...arraysOf(events, 'from', 'to', 'firstTokenId', 'lastTokenId', 'occurredAt'),
    ],
  );
}

/** Advances the position of collections; `changed` lists those with events, and the inconsistencies found. */
export async function advance(
  { manager }: Context,
  ids: readonly string[],
  scannedBlock: bigint,
  changed: ReadonlyMap<string, number>,
): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.collections c SET scanned_block = $2, gaps = c.gaps + coalesce(n.gaps, 0),
       revision = c.revision + (n.id IS NOT NULL)::integer, checked_at = CASE WHEN n.id IS NULL THEN c.checked_at END
     FROM unnest($1::uuid[]) AS o (id) LEFT JOIN unnest($3::uuid[], $4::integer[]) AS n (id, gaps) ON n.id = o.id
     WHERE c.id = o.id`,
    [ids, scannedBlock, [...changed.keys()], [...changed.values()]],
  );
}

type Span = Pick<ChainEvent, 'collectionId' | 'firstTokenId' | 'lastTokenId'>;

/** Returns the ranges that overlap or adjoin some tokens, by collection, in the order of the ids. */
export async function rangesAround({ manager }: Context, spans: readonly Span[]): Promise<Map<string, TokenRange[]>> {
  const rows = await manager.rows<{ id: string; first: string; last: string; owner: string }>(
    `SELECT DISTINCT r.collection_id AS id, r.first_token_id AS first, r.last_token_id AS last, r.owner
     FROM unnest($1::uuid[], $2::numeric[], $3::numeric[]) AS span (id, first, last) CROSS JOIN LATERAL (
       (SELECT * FROM tokenization.token_ranges WHERE collection_id = span.id AND first_token_id < span.first
        ORDER BY first_token_id DESC LIMIT 1)
       UNION ALL
       (SELECT * FROM tokenization.token_ranges WHERE collection_id = span.id
        AND first_token_id BETWEEN span.first AND span.last + 1)) AS r
     WHERE r.last_token_id >= span.first - 1 ORDER BY 1, 2`,
    [...arraysOf(spans, 'collectionId', 'firstTokenId', 'lastTokenId')],
  );
  const rangeOf = ({ first, last, owner }: (typeof rows)[number]) => ({
    first: BigInt(first),
    last: BigInt(last),
    owner,
  });
  return new Map([...groupBy(rows, ({ id }) => id)].map(([id, list]) => [id, list.map(rangeOf)]));
}

type Ranges = ReadonlyMap<string, readonly TokenRange[]>;

export async function replaceRanges({ manager }: Context, gone: Ranges, made: Ranges): Promise<void> {
  const flat = (ranges: Ranges) => [...ranges].flatMap(([id, list]) => list.map((range) => ({ id, ...range })));
  const [old, fresh] = [flat(gone), flat(made)];
  await manager.execute(
    `DELETE FROM tokenization.token_ranges r USING unnest($1::uuid[], $2::numeric[]) AS g (id, first)
     WHERE r.collection_id = g.id AND r.first_token_id = g.first`,
    [old.map(({ id }) => id), old.map(({ first }) => first)],
  );
  await manager.execute(
    `INSERT INTO tokenization.token_ranges (collection_id, first_token_id, last_token_id, owner)
     SELECT * FROM unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::text[])`,
    [...arraysOf(fresh, 'id', 'first', 'last', 'owner')],
  );
}

export interface DueCollection {
  readonly id: string;
  readonly address: string;
  readonly deployedBlock: bigint;
  readonly gaps: number;
  readonly problem: string | null;
}

/** Returns collections that are read up to a block and were not compared with their contracts since their last event, or since `before`. */
export async function collectionsDue(
  { manager }: Context,
  chainId: number,
  due: { readonly at: bigint; readonly before: Date; readonly limit: number },
): Promise<DueCollection[]> {
  const rows = await manager.rows<Omit<DueCollection, 'deployedBlock'> & { deployedBlock: string }>(
    `SELECT id, address, deployed_block AS "deployedBlock", gaps, problem FROM tokenization.collections
     WHERE chain_id = $1 AND scanned_block = $2 AND (checked_at IS NULL OR checked_at < $3)
     ORDER BY checked_at NULLS FIRST, id LIMIT $4`,
    [chainId, due.at, due.before, due.limit],
  );
  return rows.map((row) => ({ ...row, deployedBlock: BigInt(row.deployedBlock) }));
}

export async function countTokens({ manager }: Context, ids: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await manager.rows<{ id: string; tokens: string }>(
    `SELECT c.id, (SELECT coalesce(sum(last_token_id - first_token_id + 1), 0) FROM tokenization.token_ranges
       WHERE collection_id = c.id) AS tokens FROM unnest($1::uuid[]) AS c (id)`,
    [ids],
  );
  return new Map(rows.map(({ id, tokens }) => [id, BigInt(tokens)]));
}

export interface OwnedToken {
  readonly collectionId: string;
  readonly token: bigint;
  readonly owner: string;
}

/** Chooses one from each of `count` ranges chosen by a seed, so that each check covers other tokens and can be repeated. */
export async function sampleTokens(
  { manager }: Context,
  ids: readonly string[],
  { seed, count }: { readonly seed: string; readonly count: number },
): Promise<OwnedToken[]> {
  const rows = await manager.rows<{ id: string; token: string; owner: string }>(
    `SELECT c.id, r.token, r.owner FROM unnest($1::uuid[]) AS c (id) CROSS JOIN LATERAL (
       SELECT first_token_id + mod(abs(hashtextextended($2::text || first_token_id, 0)::numeric), last_token_id - first_token_id + 1) AS token,
         owner
       FROM tokenization.token_ranges WHERE collection_id = c.id
       ORDER BY md5($2::text || first_token_id), first_token_id LIMIT $3) AS r`,
    [ids, seed, count],
  );
  return rows.map(({ id, token, owner }) => ({ collectionId: id, token: BigInt(token), owner }));
}

export interface Checked {
  readonly id: string;
  /** The description that the contract returns; undefined when the call fails, in which case the previous one is kept. */
  readonly description: (Description & { readonly deployedAt: Date }) | undefined;
  readonly problem: string | null;
}

/** Stores the results of checks as of a block, for the collections that are still known up to it. */
export async function saveChecks({ manager, clock }: Context, at: bigint, checks: readonly Checked[]): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.collections c SET checked_at = $2, problem = n.problem,
       name = coalesce(n.name, c.name), symbol = coalesce(n.symbol, c.symbol),
       total_supply = coalesce(n.supply, c.total_supply), deployed_at = coalesce(n.deployed_at, c.deployed_at),
       read_block = CASE WHEN n.name IS NULL THEN c.read_block ELSE $1::bigint END,
       read_at = CASE WHEN n.name IS NULL THEN c.read_at ELSE $2::timestamptz END,
       revision = c.revision + (n.name IS NOT NULL AND (c.name, c.symbol, c.total_supply, c.deployed_at)
         IS DISTINCT FROM (n.name, n.symbol, n.supply, n.deployed_at))::integer
     FROM unnest($3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::timestamptz[], $8::text[])
       AS n (id, name, symbol, supply, deployed_at, problem)
     WHERE c.id = n.id AND c.scanned_block = $1`,
    [
      at,
      clock.now(),
      checks.map(({ id }) => id),
      checks.map(({ description }) => description?.name ?? null),
      checks.map(({ description }) => description?.symbol ?? null),
      checks.map(({ description }) => description?.totalSupply ?? null),
      checks.map(({ description }) => description?.deployedAt ?? null),
      checks.map(({ problem }) => problem),
    ],
  );
}
