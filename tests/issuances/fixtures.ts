import type { Manager } from '../../shared/database/manager.js';
import { newId } from '../../shared/kernel/ids.js';
import { searchText } from '../../subgraphs/issuances/operations/search-text.js';

type Columns = Readonly<Record<string, unknown>>;

export async function add(manager: Manager, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  await manager.query(
    `INSERT INTO issuances.${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
}

/** What an import does at its end. */
export async function raiseRevision(manager: Manager): Promise<void> {
  await manager.query('UPDATE issuances.revision SET value = value + 1');
}

export async function addOperation(
  manager: Manager,
  ticker: string,
  columns: Columns & { readonly name?: string; readonly issuer?: string } = {},
): Promise<string> {
  const id = newId();
  const slug = `estate-${ticker.toLowerCase()}`;
  const { name = `Operação ${ticker}`, issuer = null } = columns;
  const found = { ticker, slug, name, sub: '', issuer, issuerCnpj: null, backingAsset: null, series: [] };
  await add(manager, 'operations', {
    id,
    ticker,
    slug,
    name,
    type: 'CRI',
    is_public: true,
    status: 'Em andamento',
    href: `/emissoes/${ticker}`,
    search_text: searchText(found),
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...columns,
  });
  return id;
}

/** Adds a series of R$ 100.000.000,00 at CDI + 3,50%, and answers its id. */
export async function addSeries(
  manager: Manager,
  operationId: string,
  number: number,
  columns: Columns = {},
): Promise<string> {
  const id = newId();
  await add(manager, 'series', {
    id,
    operation_id: operationId,
    number,
    ticker: `S${id.slice(-12)}-${number}`,
    class: 'SENIOR',
    status: 'Ativa',
    indexer: 'CDI',
    rate: '3.5',
    issue_date: '2025-01-15',
    maturity_date: '2030-01-15',
    unit_value: '1000',
    quantity: '100000',
    issued_total: '100000000',
    ...columns,
  });
  return id;
}

/** Adds a price for every day from `from` to `to`: 1000 and a hundredth more each day. */
export async function addPrices(manager: Manager, seriesId: string, from: string, to: string): Promise<void> {
  await manager.query(
    `INSERT INTO issuances.unit_prices (series_id, date, value)
     SELECT $1, day, 1000 + 0.01 * (row_number() OVER (ORDER BY day) - 1)
     FROM generate_series($2::date, $3::date, '1 day') AS day`,
    [seriesId, from, to],
  );
}

export async function addContract(manager: Manager, operationId: string, columns: Columns = {}): Promise<string> {
  const id = newId();
  await add(manager, 'credit_contracts', {
    id,
    operation_id: operationId,
    external_id: `CT-${id}`,
    debtor_name: 'Fulana de Tal',
    debtor_document: '11144477735',
    type: 'CCB',
    status: 'ACTIVE',
    original_value: '1000',
    outstanding_balance: '800',
    rate: '12.5',
    issue_date: '2025-03-10',
    maturity_date: '2029-03-10',
    installments: 48,
    paid_installments: 10,
    days_late: 0,
    uf: 'SP',
    position_date: '2026-11-19',
    ...columns,
  });
  return id;
}

/** Adds a covenant that is named for its metric. */
export async function addCovenant(
  manager: Manager,
  operationId: string,
  columns: Columns & { readonly metric: string; readonly threshold: string },
): Promise<void> {
  const { metric } = columns;
  const row = { operation_id: operationId, external_id: metric, position: 0, name: metric, comparison: 'AT_MOST' };
  await add(manager, 'covenants', { ...row, ...columns });
}

/** Adds what a contract of 1,000,000 was at the end of October 2026. */
export async function addPosition(
  manager: Manager,
  operationId: string,
  contractId: string,
  columns: Columns = {},
): Promise<void> {
  await add(manager, 'contract_positions', {
    operation_id: operationId,
    contract_id: contractId,
    month: '2026-10-01',
    opening_balance: '1000000',
    scheduled_principal: '0',
    prepaid_principal: '0',
    closing_balance: '1000000',
    days_late: 0,
    ...columns,
  });
}

/** Adds a contract of tokens on Polygon, and answers its id. */
export async function addOnchainContract(
  manager: Manager,
  operationId: string,
  columns: Columns = {},
): Promise<string> {
  const id = newId();
  await add(manager, 'onchain_contracts', {
    id,
    operation_id: operationId,
    chain_id: 137,
    network: 'Polygon',
    address: `0x${'ab'.repeat(20)}`,
    standard: 'ERC-721A',
    name: 'Tokens',
    symbol: 'T',
    token_quantity: '10',
    total_supply: '10',
    deployed_at: '2026-01-01T00:00:00Z',
    ...columns,
  });
  return id;
}
