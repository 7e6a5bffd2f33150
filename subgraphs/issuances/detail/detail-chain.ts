import { civilDate } from '../../../shared/clock.js';
import { formatDate, formatNumber } from '../../../shared/format/format.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OnchainContractRow, OnchainEventRow } from '../onchain/onchain.store.js';
import type { BlockchainActivity, BlockchainContract, BlockchainData } from './detail-chain.type.js';

export function toBlockchainData(
  contracts: readonly OnchainContractRow[],
  events: readonly OnchainEventRow[],
  tickers: ReadonlyMap<string, string>,
): Shape<BlockchainData> {
  const networks = [...new Set(contracts.map(({ network }) => network))];
  const addresses = new Map(contracts.map(({ id, address }) => [id, address]));
  return {
    rede: networks.length === 0 ? null : networks.join(', '),
    contratos: contracts.map((contract) => toContract(contract, tickers)),
    atividade: events.map((event) => toActivity(event, addresses.get(event.contractId) ?? '')),
  };
}

function toContract(contract: OnchainContractRow, tickers: ReadonlyMap<string, string>): Shape<BlockchainContract> {
  return {
    endereco: contract.address,
    rede: contract.network,
    chainId: contract.chainId,
    padrao: contract.standard,
    nome: contract.name,
    simbolo: contract.symbol,
    serie: contract.seriesId === null ? null : (tickers.get(contract.seriesId) ?? null),
    quantidadeTokens: formatNumber(contract.tokenQuantity, 0),
    totalEmitido: formatNumber(contract.totalSupply, 0),
    dataImplantacao: formatDate(civilDate(contract.deployedAt)),
    explorerUrl: contract.explorerUrl,
  };
}

function toActivity(event: OnchainEventRow, address: string): Shape<BlockchainActivity> {
  return {
    tipo: event.type,
    data: formatDate(civilDate(event.occurredAt)),
    contrato: address,
    transacao: event.transactionHash,
    bloco: event.blockNumber,
    de: event.fromAddress,
    para: event.toAddress,
    quantidade: event.tokenQuantity === null ? null : formatNumber(event.tokenQuantity, 0),
  };
}
