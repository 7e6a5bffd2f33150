import type { Context } from '../../../shared/context.js';
import { keyset, type OpenPage } from '../../../shared/list-page.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { PublicContract } from './public-contract.type.js';

/** A contract as it is read. */
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
