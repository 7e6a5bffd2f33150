import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';

/** The fields of an announcement of a collection; token numbers are text. */
export interface AnnouncedCollection {
  readonly id: string;
  readonly trancheTicker: string;
  /** Grows with every change: of two announcements the one with the greater number is current. */
  readonly revision: number;
  readonly chainId: number;
  readonly network: string;
  readonly address: string;
  readonly standard: string;
  readonly name: string;
  readonly symbol: string;
  readonly tokenQuantity: string;
  readonly totalSupply: string;
  readonly deployedAt: string;
  readonly explorerUrl: string | null;
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

/** Returns the last 100 events of each collection, rounded up to whole blocks: at most 1,000. */
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
