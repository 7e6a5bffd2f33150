import type { Context } from '../../../shared/kernel/context.js';
import { byOperation } from '../operations/by-operation.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { OnchainContract, OnchainEvent } from './onchain.type.js';

/** A contract on a public chain: the stored fields of its type. */
export type OnchainContractRow = Omit<Shape<OnchainContract>, 'seriesTicker'> & {
  readonly operationId: string;
  readonly seriesId: string | null;
};

const columns = columnsOf<OnchainContractRow>()(
  'id operationId seriesId chainId network address standard name symbol tokenQuantity totalSupply deployedAt',
  'explorerUrl',
);

export const onchainContractsOf = byOperation<OnchainContractRow>(
  `SELECT ${columns} FROM issuances.onchain_contracts WHERE operation_id = ANY ($1) ORDER BY deployed_at, id`,
);

/** An event of a contract on its chain. `exactAt` is its time in microseconds. */
export type OnchainEventRow = Shape<OnchainEvent> & { readonly contractId: string; readonly exactAt: string };

/** Events of a contract: newest first, or oldest first where they are read backward. */
export interface EventRange {
  readonly contractId: string;
  /** The event beyond which they are; null for the first ones in the direction. */
  readonly after: Pick<OnchainEventRow, 'exactAt' | 'transactionHash' | 'logIndex'> | null;
  readonly backward: boolean;
  readonly limit: number;
}

/** Returns the events of each range, in one statement for all ranges of the same length and direction. */
export async function onchainEventsIn(
  context: Context,
  ranges: readonly EventRange[],
): Promise<(readonly OnchainEventRow[])[]> {
  const found = new Map<EventRange, readonly OnchainEventRow[]>();
  for (const alike of groupBy(ranges, ({ limit, backward }) => `${limit} ${backward}`).values()) {
    const [one] = alike;
    if (one === undefined) continue;
    const byKey = groupBy(await readRanges(context, alike, one), ({ key }) => key);
    for (const [index, range] of alike.entries()) found.set(range, byKey.get(index + 1) ?? []);
  }
  return ranges.map((range) => found.get(range) ?? []);
}

/** Reads the events of ranges that are like `one`, each with the number of its range, from 1. */
function readRanges(
  { manager }: Context,
  ranges: readonly EventRange[],
  { backward, limit }: EventRange,
): Promise<(OnchainEventRow & { readonly key: number })[]> {
  // Events of the same moment are in the order of their transactions and logs.
  const time = keyset('DESC', { backward });
  const log = keyset('ASC', { backward });
  return manager.rows(
    `SELECT place.* FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::integer[])
       WITH ORDINALITY AS wanted (contract_id, occurred_at, transaction_hash, log_index, key)
     CROSS JOIN LATERAL (
       SELECT wanted.key::integer, event.contract_id AS "contractId", event.occurred_at::text AS "exactAt",
         event.transaction_hash AS "transactionHash", event.log_index AS "logIndex", event.block_number AS "blockNumber",
         event.type, event.from_address AS "fromAddress", event.to_address AS "toAddress",
         event.token_quantity AS "tokenQuantity", event.occurred_at AS "occurredAt"
       FROM issuances.onchain_events AS event
       WHERE event.contract_id = wanted.contract_id AND (wanted.occurred_at IS NULL
         OR event.occurred_at ${time.beyond} wanted.occurred_at
         OR event.occurred_at = wanted.occurred_at
           AND (event.transaction_hash, event.log_index) ${log.beyond} (wanted.transaction_hash, wanted.log_index))
       ORDER BY event.occurred_at ${time.direction}, event.transaction_hash ${log.direction}, event.log_index ${log.direction}
       LIMIT $5) AS place
     ORDER BY place.key, place."occurredAt" ${time.direction}, place."transactionHash" ${log.direction}, place."logIndex" ${log.direction}`,
    [
      ranges.map(({ contractId }) => contractId),
      ranges.map(({ after }) => after?.exactAt ?? null),
      ranges.map(({ after }) => after?.transactionHash ?? null),
      ranges.map(({ after }) => after?.logIndex ?? null),
      limit,
    ],
  );
}

/** Counts the events of each contract. */
export async function countOnchainEvents({ manager }: Context, contractIds: readonly string[]): Promise<number[]> {
  const rows = await manager.rows<{ readonly id: string; readonly count: number }>(
    `SELECT contract_id AS id, count(*)::float8 AS count FROM issuances.onchain_events
     WHERE contract_id = ANY ($1) GROUP BY contract_id`,
    [contractIds],
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return contractIds.map((id) => counts.get(id) ?? 0);
}
