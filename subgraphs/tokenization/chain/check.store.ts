import type { Context } from '../../../shared/kernel/context.js';
import type { Description } from './node.js';

/** A collection to compare with its contract. */
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

/** Returns the number of tokens by collection, according to the events. */
export async function countTokens({ manager }: Context, ids: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await manager.rows<{ id: string; tokens: string }>(
    `SELECT c.id, (SELECT coalesce(sum(last_token_id - first_token_id + 1), 0) FROM tokenization.token_ranges
       WHERE collection_id = c.id) AS tokens FROM unnest($1::uuid[]) AS c (id)`,
    [ids],
  );
  return new Map(rows.map(({ id, tokens }) => [id, BigInt(tokens)]));
}

/** A token and its owner according to the events. */
export interface OwnedToken {
  readonly collectionId: string;
  readonly token: bigint;
  readonly owner: string;
}

/**
 * Picks a sample of tokens of each collection: one from each of `count` ranges chosen by a seed, so that each check covers
 * other tokens and can be repeated.
 */
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

/** The result of a check. */
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
