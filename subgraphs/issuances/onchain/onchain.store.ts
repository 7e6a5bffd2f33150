import type { Context } from '../../../shared/context.js';
import { byOperation } from '../operations/by-operation.js';
import { groupsOf } from '../../../shared/group-by.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
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

/** An event of a contract on its chain. */
export type OnchainEventRow = Shape<OnchainEvent> & { readonly contractId: string };

/** Maximum number of events that are read per contract. */
export const maxOnchainEvents = 100;

/** Returns the latest events of each contract, newest first. */
export async function onchainEventsOf(context: Context, contractIds: readonly string[]): Promise<OnchainEventRow[][]> {
  const rows = await context.manager.rows<OnchainEventRow>(
    `SELECT event.contract_id AS "contractId", event.transaction_hash AS "transactionHash", event.log_index AS "logIndex",
       event.block_number AS "blockNumber", event.type, event.from_address AS "fromAddress", event.to_address AS "toAddress",
       event.token_quantity AS "tokenQuantity", event.occurred_at AS "occurredAt"
     FROM unnest($1::uuid[]) AS contract (id) CROSS JOIN LATERAL (
       SELECT * FROM issuances.onchain_events WHERE contract_id = contract.id
       ORDER BY occurred_at DESC, transaction_hash, log_index LIMIT $2) AS event
     ORDER BY event.occurred_at DESC, event.transaction_hash, event.log_index`,
    [contractIds, maxOnchainEvents],
  );
  return groupsOf(contractIds, rows, ({ contractId }) => contractId);
}
