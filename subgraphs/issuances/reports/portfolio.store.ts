import type { Context } from '../../../shared/context.js';
import { Decimal, round } from '../../../shared/decimal.js';
import { groupBy } from '../../../shared/group-by.js';
import type { Covenant } from './covenants.js';
import type { PortfolioFacts } from './report.js';
import type { RiskClass } from './subordination.js';

/**
 * Where a portfolio's contracts are read from: as they stand now, or as they stood at the end of a month that the
 * importer brought positions of. What had a balance then was alive then.
 */
export type PortfolioSource = 'NOW' | 'MONTH_END';

// Both answer the same columns for the operations $1 on the day $2.
const contractsFrom: Readonly<Record<PortfolioSource, string>> = {
  NOW: `SELECT operation_id, debtor_document, status, original_value, outstanding_balance AS balance, indexer, rate,
      maturity_date, days_late, collateral_value, position_date,
      status IN ('ACTIVE', 'DEFAULTED') AND outstanding_balance > 0 AS alive
    FROM issuances.credit_contracts WHERE operation_id = ANY ($1) AND $2::date IS NOT NULL`,
  MONTH_END: `SELECT contract.operation_id, debtor_document, CASE WHEN closing_balance > 0 THEN 'ACTIVE' ELSE 'SETTLED' END AS status,
      original_value, closing_balance AS balance, indexer, rate, maturity_date, position.days_late, collateral_value,
      $2::date AS position_date, closing_balance > 0 AS alive
    FROM issuances.contract_positions AS position
    JOIN issuances.credit_contracts AS contract ON contract.id = position.contract_id
    WHERE position.operation_id = ANY ($1) AND position.month = date_trunc('month', $2::timestamp)::date`,
};

interface Totals {
  operationId: string;
  baseDate: string | null;
  originalValue: string;
  balanceDays: string;
  settledContracts: number;
  writtenOffContracts: number;
  writtenOffBalance: string;
}
interface Lateness {
  operationId: string;
  daysLate: number;
  contracts: number;
  balance: string;
}
interface Rate {
  operationId: string;
  indexer: string;
  balance: string;
  weighted: string;
}
interface Collateral {
  operationId: string;
  percent: number;
  contracts: number;
  balance: string;
  collateral: string;
}
interface Debtors {
  operationId: string;
  debtors: number;
  largest: string[];
  squares: string;
}
interface Flow {
  operationId: string;
  month: string;
  opening: string;
  scheduled: string;
  prepaid: string;
}
interface Balance {
  operationId: string;
  number: number;
  ticker: string;
  class: RiskClass;
  quantity: string;
  price: string;
}
interface Band {
  operationId: string;
  fromDays: number;
  label: string;
  rate: string;
}
type CovenantFacts = Omit<Covenant, 'threshold'> & { operationId: string; threshold: string };

/**
 * The facts of the reports of several operations on one day. The database adds up; the number of queries does not grow
 * with operations or contracts.
 */
export async function loadPortfolios(
  context: Context,
  operationIds: readonly string[],
  position: string,
  source: PortfolioSource,
): Promise<PortfolioFacts[]> {
  const rows = await readRows(context, [operationIds, position], contractsFrom[source]);
  return operationIds.map((id) => toFacts(id, position, rows));
}

type Rows = Awaited<ReturnType<typeof readRows>>;

async function readRows(context: Context, given: readonly unknown[], contractsSql: string) {
  const contracts = `WITH contracts AS MATERIALIZED (${contractsSql})`;
  const read = async <T extends { operationId: string }>(sql: string): Promise<Map<string, T[]>> =>
    groupBy(await context.manager.query<T[]>(sql, [...given]), ({ operationId }) => operationId);
  return {
    totals: await read<Totals>(`${contracts} ${totalsSql}`),
    lateness: await read<Lateness>(`${contracts} ${latenessSql}`),
    rates: await read<Rate>(`${contracts} ${ratesSql}`),
    collateral: await read<Collateral>(`${contracts} ${collateralSql}`),
    debtors: await read<Debtors>(`${contracts} ${debtorsSql}`),
    flows: await read<Flow>(flowsSql),
    series: await read<Balance>(seriesSql),
    bands: await read<Band>(bandsSql),
    covenants: await read<CovenantFacts>(covenantsSql),
  };
}

function toFacts(id: string, position: string, rows: Rows): PortfolioFacts {
  const total = rows.totals.get(id)?.[0];
  const debtor = rows.debtors.get(id)?.[0];
  return {
    position,
    baseDate: total?.baseDate ?? null,
    lateness: of(rows.lateness, id, (row) => ({ ...row, balance: new Decimal(row.balance) })),
    originalValue: new Decimal(total?.originalValue ?? 0),
    balanceDays: new Decimal(total?.balanceDays ?? 0),
    rates: of(rows.rates, id, (row) => ({
      indexer: row.indexer,
      balance: new Decimal(row.balance),
      weighted: new Decimal(row.weighted),
    })),
    debtors: {
      debtors: debtor?.debtors ?? 0,
      largest: (debtor?.largest ?? []).map((balance) => new Decimal(balance)),
      squares: new Decimal(debtor?.squares ?? 0),
    },
    settledContracts: total?.settledContracts ?? 0,
    writtenOff: { contracts: total?.writtenOffContracts ?? 0, balance: new Decimal(total?.writtenOffBalance ?? 0) },
    collateral: of(rows.collateral, id, (row) => ({
      percent: row.percent,
      contracts: row.contracts,
      balance: new Decimal(row.balance),
      collateral: new Decimal(row.collateral),
    })),
    months: of(rows.flows, id, (row) => ({
      month: row.month,
      opening: new Decimal(row.opening),
      scheduled: new Decimal(row.scheduled),
      prepaid: new Decimal(row.prepaid),
    })),
    series: of(rows.series, id, (row) => ({
      number: row.number,
      ticker: row.ticker,
      class: row.class,
      balance: round(new Decimal(row.quantity).times(row.price), 2),
    })),
    matrix: of(rows.bands, id, ({ fromDays, label, rate }) => ({ fromDays, label, rate: new Decimal(rate) })),
    covenants: of(rows.covenants, id, ({ name, metric, comparison, threshold }) => ({
      name,
      metric,
      comparison,
      threshold: new Decimal(threshold),
    })),
  };
}

function of<R, T>(rows: ReadonlyMap<string, R[]>, id: string, map: (row: R) => T): T[] {
  return (rows.get(id) ?? []).map(map);
}

const totalsSql = `
  SELECT operation_id AS "operationId", max(position_date)::text AS "baseDate",
    coalesce(sum(original_value) FILTER (WHERE alive), 0) AS "originalValue",
    coalesce(sum(balance * greatest(maturity_date - $2::date, 0)) FILTER (WHERE alive), 0) AS "balanceDays",
    (count(*) FILTER (WHERE status = 'SETTLED'))::int AS "settledContracts",
    (count(*) FILTER (WHERE status = 'WRITTEN_OFF'))::int AS "writtenOffContracts",
    coalesce(sum(balance) FILTER (WHERE status = 'WRITTEN_OFF'), 0) AS "writtenOffBalance"
  FROM contracts GROUP BY operation_id`;

const latenessSql = `
  SELECT operation_id AS "operationId", days_late AS "daysLate", count(*)::int AS contracts, sum(balance) AS balance
  FROM contracts WHERE alive GROUP BY operation_id, days_late ORDER BY days_late`;

const ratesSql = `
  SELECT operation_id AS "operationId", indexer, sum(balance) AS balance, sum(balance * rate) AS weighted
  FROM contracts WHERE alive GROUP BY operation_id, indexer ORDER BY indexer COLLATE "C"`;

const collateralSql = `
  SELECT operation_id AS "operationId", least(ceil(balance * 100 / collateral_value), 101)::int AS percent,
    count(*)::int AS contracts, sum(balance) AS balance, sum(collateral_value) AS collateral
  FROM contracts WHERE alive AND collateral_value IS NOT NULL GROUP BY 1, 2`;

const debtorsSql = `
  SELECT operation_id AS "operationId", count(*)::int AS debtors, sum(balance * balance) AS squares,
    (array_agg(balance ORDER BY balance DESC))[1:20]::text[] AS largest
  FROM (SELECT operation_id, sum(balance) AS balance FROM contracts WHERE alive GROUP BY operation_id, debtor_document) AS debtor
  GROUP BY operation_id`;

const flowsSql = `
  SELECT operation_id AS "operationId", to_char(month, 'YYYY-MM') AS month, sum(opening_balance) AS opening,
    sum(scheduled_principal) AS scheduled, sum(prepaid_principal) AS prepaid
  FROM issuances.contract_positions
  WHERE operation_id = ANY ($1) AND month <= $2::date AND month > $2::date - interval '12 months'
  GROUP BY operation_id, contract_positions.month ORDER BY contract_positions.month`;

const seriesSql = `
  SELECT operation_id AS "operationId", number, ticker, class, coalesce(subscribed_quotas, quantity) AS quantity,
    coalesce(price.value, unit_value) AS price
  FROM issuances.series LEFT JOIN LATERAL (
    SELECT value FROM issuances.unit_prices WHERE series_id = series.id AND date <= $2::date ORDER BY date DESC LIMIT 1
  ) AS price ON true
  WHERE operation_id = ANY ($1) AND issue_date <= $2::date ORDER BY number`;

const bandsSql = `
  SELECT operation_id AS "operationId", from_days AS "fromDays", label, rate FROM issuances.provisioning_bands
  WHERE operation_id = ANY ($1) AND $2::date IS NOT NULL ORDER BY from_days`;

const covenantsSql = `
  SELECT operation_id AS "operationId", name, metric, comparison, threshold FROM issuances.covenants
  WHERE operation_id = ANY ($1) AND $2::date IS NOT NULL ORDER BY position, external_id`;
