import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { raiseRevision } from '../revision/revision.js';
import type { ChainNews } from './chain-news.js';
import { keyset, type OpenPage } from '../../../shared/graphql/list-page.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { PublicContract, OnchainContract } from './onchain.type.js';
import { byOperation } from '../operations/operation.store.js';
import { columnsOf } from '../../../shared/database/columns.js';

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
export interface OnchainEventRow {
  readonly contractId: string;
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly blockNumber: string;
  /** A free label: MINT, TRANSFER… */
  readonly type: string;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
  readonly tokenQuantity: string | null;
  readonly occurredAt: Date;
}

/** Returns the newest events of contracts; events of the same moment in the order of their transactions and logs. */
export function newestEventsOf(
  { manager }: Context,
  contractIds: readonly string[],
  limit: number,
): Promise<OnchainEventRow[]> {
  return manager.rows(
    `SELECT newest.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT ${eventColumns} FROM issuances.onchain_events WHERE contract_id = wanted.id
       ORDER BY occurred_at DESC, transaction_hash, log_index LIMIT $2) AS newest
     ORDER BY "occurredAt" DESC, "transactionHash", "logIndex" LIMIT $2`,
    [contractIds, limit],
  );
}

const eventColumns = columnsOf<OnchainEventRow>()(
  'contractId transactionHash logIndex blockNumber type fromAddress toAddress tokenQuantity occurredAt',
);

export interface PublishedContract {
  readonly id: string;
  readonly operationId: string;
  readonly news: ChainNews;
}

type Digested = ChainNews & { readonly digest: Buffer };

/** Raises the stored revision of contracts whose content is unchanged, so that older announcements are ignored. */
export async function confirmRevisions({ manager }: Context, news: readonly Digested[]): Promise<void> {
  await manager.execute(
    `UPDATE issuances.onchain_contracts known SET chain_revision = n.revision
     FROM unnest($1::integer[], $2::text[], $3::bigint[], $4::bytea[]) AS n (chain_id, address, revision, digest)
     WHERE known.chain_id = n.chain_id AND lower(known.address) = lower(n.address)
       AND known.chain_digest = n.digest AND known.chain_revision < n.revision`,
    [
      news.map(({ contract }) => contract.chainId),
      news.map(({ contract }) => contract.address),
      ...arraysOf(news, 'revision', 'digest'),
    ],
  );
}

/** Stores contracts of known series; returns those that changed and were not newer already. */
export async function upsertFromChain(
  { manager, clock }: Context,
  news: readonly Digested[],
): Promise<PublishedContract[]> {
  const rows = await manager.rows<{ id: string; operationId: string; address: string; chainId: number }>(
    `INSERT INTO issuances.onchain_contracts AS known (id, operation_id, series_id, chain_id, network, address, standard, name,
       symbol, token_quantity, total_supply, deployed_at, explorer_url, chain_revision, chain_digest)
     SELECT n.id, s.operation_id, s.id, n.chain_id, n.network, n.address, n.standard, n.name, n.symbol, n.token_quantity,
       n.total_supply, n.deployed_at, n.explorer_url, n.revision, decode(n.digest, 'hex')
     FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, ticker text, chain_id integer, network text, address text,
       standard text, name text, symbol text, token_quantity numeric, total_supply numeric, deployed_at timestamptz,
       explorer_url text, revision bigint, digest text)
     JOIN issuances.series s ON lower(s.ticker) = lower(n.ticker)
     ON CONFLICT (chain_id, lower(address)) DO UPDATE SET operation_id = EXCLUDED.operation_id,
       series_id = EXCLUDED.series_id, network = EXCLUDED.network, address = EXCLUDED.address,
       standard = EXCLUDED.standard, name = EXCLUDED.name, symbol = EXCLUDED.symbol,
       token_quantity = EXCLUDED.token_quantity, total_supply = EXCLUDED.total_supply,
       deployed_at = EXCLUDED.deployed_at, explorer_url = EXCLUDED.explorer_url,
       chain_revision = EXCLUDED.chain_revision, chain_digest = EXCLUDED.chain_digest
     WHERE coalesce(known.chain_revision, 0) <= EXCLUDED.chain_revision
       AND known.chain_digest IS DISTINCT FROM EXCLUDED.chain_digest
     RETURNING id, operation_id AS "operationId", address, chain_id AS "chainId"`,
    [
      JSON.stringify(
        news.map(({ trancheTicker, revision, contract, digest }) => ({
          id: newId(clock.now().getTime()),
          ticker: trancheTicker,
          chain_id: contract.chainId,
          network: contract.network,
          address: contract.address,
          standard: contract.standard,
          name: contract.name,
          symbol: contract.symbol,
          token_quantity: contract.tokenQuantity,
          total_supply: contract.totalSupply,
          deployed_at: contract.deployedAt,
          explorer_url: contract.explorerUrl,
          revision,
          digest: digest.toString('hex'),
        })),
      ),
    ],
  );
  return rows.flatMap(({ id, operationId, address, chainId }) => {
    const one = news.find(({ contract }) => contract.address === address && contract.chainId === chainId);
    return one === undefined ? [] : [{ id, operationId, news: one }];
  });
}

/** Replaces the stored events of the announced blocks; events of other types stay. */
export async function replaceChainEvents({ manager }: Context, contracts: readonly PublishedContract[]): Promise<void> {
  const events = contracts.flatMap(({ id, news }) => news.events.map((event) => ({ id, ...event })));
  await manager.execute(
    `DELETE FROM issuances.onchain_events e USING unnest($1::uuid[], $2::bigint[]) AS n (id, from_block)
     WHERE e.contract_id = n.id AND e.block_number >= n.from_block AND e.type IN ('MINT', 'TRANSFER', 'BURN')`,
    [contracts.map(({ id }) => id), contracts.map(({ news }) => news.fromBlock)],
  );
  await manager.execute(
    `INSERT INTO issuances.onchain_events (contract_id, transaction_hash, log_index, block_number, type, from_address,
       to_address, token_quantity, occurred_at)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::numeric[], $9::timestamptz[])
     ON CONFLICT DO NOTHING`,
    [
      ...arraysOf(
        events,
        'id',
        'transactionHash',
        'logIndex',
        'blockNumber',
        'type',
        'from',
        'to',
        'tokenQuantity',
        'occurredAt',
      ),
    ],
  );
}

export async function markOperations(context: Context, operationIds: readonly string[]): Promise<void> {
  await context.manager.execute('UPDATE issuances.operations SET updated_at = $2 WHERE id = ANY ($1)', [
    operationIds,
    context.clock.now(),
  ]);
  await raiseRevision(context, operationIds);
}

export type PublicContractRow = Shape<PublicContract>;

const source = `issuances.onchain_contracts AS contract
  JOIN issuances.operations AS operation ON operation.id = contract.operation_id AND operation.is_public`;

/** Returns the contracts of public operations in the order in which the page is read: by chain and address, one more than it holds if there are more. */
export function listPublicContracts(
  { manager }: Context,
  { limit, backward, position: [chainId, address] }: Pick<OpenPage, 'limit' | 'backward' | 'position'>,
): Promise<PublicContractRow[]> {
  const { beyond, direction } = keyset('ASC', { backward });
  return manager.rows<PublicContractRow>(
    `SELECT contract.id, contract.chain_id AS "chainId", contract.network, contract.address, contract.standard,
       contract.name, contract.symbol, series.ticker AS "seriesTicker", contract.token_quantity AS "tokenQuantity",
       contract.total_supply AS "totalSupply", contract.deployed_at AS "deployedAt",
       contract.explorer_url AS "explorerUrl", operation.ticker AS "operationTicker"
     FROM ${source} LEFT JOIN issuances.series AS series ON series.id = contract.series_id
     WHERE $1::integer IS NULL OR (contract.chain_id, lower(contract.address)) ${beyond} ($1, $2::text)
     ORDER BY contract.chain_id ${direction}, lower(contract.address) ${direction} LIMIT $3`,
    [chainId ?? null, address ?? null, limit + 1],
  );
}

export function countPublicContracts({ manager }: Context): Promise<number> {
  return manager.countRows(`SELECT count(*)::int AS count FROM ${source}`);
}
