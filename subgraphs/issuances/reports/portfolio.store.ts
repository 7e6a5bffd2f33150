import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { isPartialRedemption } from '../payments/payment.js';
import type { LatenessGroup } from '../../securities/aging.js';
import type { Covenant } from './covenants.js';
import type { LtvGroup } from './ltv.js';
import type { MonthFlow } from './prepayment.js';
import type { ProvisioningBand } from './provisioning.js';
import type { PortfolioFacts } from './report.js';
import type { SeriesFacts } from './series-standing.js';

/** Means the current state, that for a month without positions, or the state at the end of a month with positions: a contract with a balance counts as alive then, unless written off by then. */
export type PortfolioSource = 'NOW' | 'LAST_KNOWN' | 'MONTH_END';

export interface PortfolioDay {
  /** `YYYY-MM-DD`. */
  readonly position: string;
  /** The month that ends on this day, `YYYY-MM`; null for today. */
  readonly month: string | null;
  readonly source: PortfolioSource;
  /** The day of the last unit price that is due; undefined if unknown. */
  readonly priceDueOn: string | undefined;
  /** The last due day of which an unpaid payment is overdue. */
  readonly overdueUntil: string;
}

// All return the same columns for the operations $1 on the day $2. A contract that was late on the day of its known balance
// counts as late for the days since then too; whether a punctual one was paid since then is not known.
const current = `SELECT operation_id, debtor_document, status, original_value, outstanding_balance AS balance,
      CASE WHEN next_due_date IS NULL THEN overdue_value WHEN next_due_date >= $2::date THEN 0
        WHEN installments = 1 THEN outstanding_balance END AS overdue_value, indexer, rate,
      maturity_date, CASE WHEN next_due_date IS NOT NULL THEN greatest($2::date - next_due_date, 0)
        WHEN days_late > 0 THEN days_late + greatest($2::date - position_date, 0) ELSE 0 END AS days_late,
      collateral_value, position_date,
      status IN ('ACTIVE', 'DEFAULTED') AND outstanding_balance > 0 AS alive
    FROM issuances.credit_contracts WHERE operation_id = ANY ($1)`;
// Credits of the estate that originators assigned have no positions: at the end of a month they are as they were recorded then.
const assignedByEnd = `SELECT operation_id, debtor_document,
      CASE WHEN written_off_date <= $2::date THEN 'WRITTEN_OFF' WHEN outstanding_balance > 0 THEN 'ACTIVE' ELSE 'SETTLED' END,
      original_value, outstanding_balance, CASE WHEN next_due_date >= $2::date THEN 0 WHEN installments = 1 THEN outstanding_balance END,
      indexer, rate, maturity_date, CASE WHEN outstanding_balance > 0 THEN greatest($2::date - next_due_date, 0) ELSE 0 END, collateral_value,
      $2::date, outstanding_balance > 0 AND (written_off_date IS NULL OR written_off_date > $2::date)
    FROM issuances.credit_contracts(($2::date + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo')
    WHERE operation_id = ANY ($1) AND engine_patrimony_id IS NOT NULL`;
const contractsFrom: Readonly<Record<PortfolioSource, string>> = {
  NOW: current,
  LAST_KNOWN: `${current} AND engine_patrimony_id IS NULL UNION ALL ${assignedByEnd}`,
  MONTH_END: `SELECT contract.operation_id, debtor_document,
      CASE WHEN written_off_date <= $2::date THEN 'WRITTEN_OFF' WHEN closing_balance > 0 THEN 'ACTIVE' ELSE 'SETTLED' END AS status,
      original_value, closing_balance AS balance, position.overdue_value, indexer, rate, maturity_date, position.days_late, collateral_value,
      $2::date AS position_date, closing_balance > 0 AND (written_off_date IS NULL OR written_off_date > $2::date) AS alive
    FROM issuances.contract_positions AS position
    JOIN issuances.credit_contracts AS contract ON contract.id = position.contract_id
    WHERE position.operation_id = ANY ($1) AND position.month = date_trunc('month', $2::timestamp)::date
    UNION ALL ${assignedByEnd}`,
};

interface Found {
  totals: Totals[] | null;
  lateness: (Stored<Omit<LatenessGroup, 'overdue'>> & { overdue: string | null })[] | null;
  rates: Stored<PortfolioFacts['rates'][number]>[] | null;
  collateral: Stored<LtvGroup>[] | null;
  debtors: Debtors[] | null;
  flows: Stored<MonthFlow>[] | null;
  bands: Stored<ProvisioningBand>[] | null;
  covenants: Stored<Covenant>[] | null;
}
interface Totals {
  operationId: string;
  baseDate: string | null;
  originalValue: string;
  balanceDays: string;
  settledContracts: number;
  writtenOffContracts: number;
  writtenOffBalance: string;
}
interface Debtors {
  operationId: string;
  debtors: number;
  largest: string[];
  squares: string;
}

/** Has the database compute the totals; the number of queries does not depend on the number of operations or contracts. */
export async function loadPortfolios(
  context: Context,
  operationIds: readonly string[],
  day: PortfolioDay,
): Promise<PortfolioFacts[]> {
  const rows = await readRows(context, operationIds, day);
  return operationIds.map((id) => toFacts(id, day, rows));
}

type Rows = Awaited<ReturnType<typeof readRows>>;

async function readRows(context: Context, operationIds: readonly string[], day: PortfolioDay) {
  const { position, source } = day;
  const found = await context.manager.row<Found>(portfolioSql[source], [operationIds, position]);
  return {
    totals: byOperation(found?.totals),
    lateness: byOperation(found?.lateness),
    rates: byOperation(found?.rates),
    collateral: byOperation(found?.collateral),
    debtors: byOperation(found?.debtors),
    flows: byOperation(found?.flows),
    bands: byOperation(found?.bands),
    covenants: byOperation(found?.covenants),
    series: await loadSeriesFacts(context, operationIds, day),
  };
}

function byOperation<T extends { readonly operationId: string }>(rows: readonly T[] | null | undefined) {
  return groupBy(rows ?? [], ({ operationId }) => operationId);
}

/** Months, bands and covenants are copied field by field: a report shows and stores them with all their fields. */
function toFacts(id: string, { position, month, priceDueOn }: PortfolioDay, rows: Rows): PortfolioFacts {
  const total = rows.totals.get(id)?.[0];
  const debtor = rows.debtors.get(id)?.[0];
  return {
    position,
    month,
    baseDate: total?.baseDate ?? null,
    lateness: of(rows.lateness, id, (row) => ({
      ...row,
      balance: new Decimal(row.balance),
      overdue: row.overdue === null ? undefined : new Decimal(row.overdue),
    })),
    originalValue: new Decimal(total?.originalValue ?? 0),
    balanceDays: new Decimal(total?.balanceDays ?? 0),
    rates: of(rows.rates, id, (row) => ({
      ...row,
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
      ...row,
      balance: new Decimal(row.balance),
      collateral: new Decimal(row.collateral),
    })),
    months: of(rows.flows, id, (row) => ({
      month: row.month,
      opening: new Decimal(row.opening),
      scheduled: new Decimal(row.scheduled),
      prepaid: new Decimal(row.prepaid),
    })),
    series: rows.series.get(id) ?? [],
    priceDueOn,
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
    coalesce(sum(original_value) FILTER (WHERE alive), 0)::text AS "originalValue",
    coalesce(sum(balance * greatest(maturity_date - $2::date, 0)) FILTER (WHERE alive), 0)::text AS "balanceDays",
    (count(*) FILTER (WHERE status = 'SETTLED'))::int AS "settledContracts",
    (count(*) FILTER (WHERE status = 'WRITTEN_OFF'))::int AS "writtenOffContracts",
    coalesce(sum(balance) FILTER (WHERE status = 'WRITTEN_OFF'), 0)::text AS "writtenOffBalance"
  FROM contracts GROUP BY operation_id`;

const latenessSql = `
  SELECT operation_id AS "operationId", days_late AS "daysLate", count(*)::int AS contracts, sum(balance)::text AS balance,
    CASE WHEN count(overdue_value) = count(*) THEN sum(overdue_value)::text END AS overdue
  FROM contracts WHERE alive GROUP BY operation_id, days_late ORDER BY days_late`;

// A fixed rate of 0 means that none is known: these credits stand apart, and lower no average.
const ratesSql = `
  SELECT operation_id AS "operationId", indexer, sum(balance)::text AS balance, sum(balance * rate)::text AS weighted
  FROM contracts WHERE alive GROUP BY operation_id, indexer, indexer = 'PREFIXED' AND rate = 0
  ORDER BY indexer COLLATE "C", indexer = 'PREFIXED' AND rate = 0`;

const collateralSql = `
  SELECT operation_id AS "operationId", least(ceil(balance * 100 / collateral_value), 101)::int AS percent,
    count(*)::int AS contracts, sum(balance)::text AS balance, sum(collateral_value)::text AS collateral
  FROM contracts WHERE alive AND collateral_value IS NOT NULL GROUP BY 1, 2`;

const debtorsSql = `
  SELECT operation_id AS "operationId", count(*)::int AS debtors, sum(balance * balance)::text AS squares,
    (array_agg(balance ORDER BY balance DESC))[1:20]::text[] AS largest
  FROM (SELECT operation_id, sum(balance) AS balance FROM contracts WHERE alive GROUP BY operation_id, debtor_document) AS debtor
  GROUP BY operation_id`;

// Credits written off before a month began are excluded from the flows of that month. The live report measures 12 months up to the last one with positions,
// which is the one before or earlier.
const flowsSql = `
  SELECT operation_id AS "operationId", to_char(month, 'YYYY-MM') AS month, sum(opening_balance)::text AS opening,
    sum(scheduled_principal)::text AS scheduled, sum(prepaid_principal)::text AS prepaid
  FROM issuances.contract_positions AS position
  WHERE operation_id = ANY ($1) AND month <= $2::date AND month > $2::date - interval '24 months'
  AND NOT EXISTS (SELECT FROM issuances.credit_contracts AS contract
    WHERE contract.id = position.contract_id AND contract.operation_id = ANY ($1) AND contract.status = 'WRITTEN_OFF'
    AND contract.written_off_date < position.month)
  GROUP BY operation_id, position.month ORDER BY position.month`;

const bandsSql = `
  SELECT operation_id AS "operationId", from_days AS "fromDays", label, rate::text FROM issuances.provisioning_bands
  WHERE operation_id = ANY ($1) ORDER BY from_days`;

const covenantsSql = `
  SELECT operation_id AS "operationId", name, metric, comparison, threshold::text FROM issuances.covenants
  WHERE operation_id = ANY ($1) ORDER BY position, external_id`;

/** One statement, with one pass over the contracts. Decimals travel as text: a number of JSON would lose digits. */
const portfolioSql: Readonly<Record<PortfolioSource, string>> = {
  NOW: summaryOf(contractsFrom.NOW),
  LAST_KNOWN: summaryOf(contractsFrom.LAST_KNOWN),
  MONTH_END: summaryOf(contractsFrom.MONTH_END),
};

function summaryOf(contracts: string): string {
  const parts = {
    totals: totalsSql,
    lateness: latenessSql,
    rates: ratesSql,
    collateral: collateralSql,
    debtors: debtorsSql,
    flows: flowsSql,
    bands: bandsSql,
    covenants: covenantsSql,
  };
  const columns = Object.entries(parts).map(
    ([name, sql]) => `(SELECT json_agg(part) FROM (${sql}) AS part) AS ${name}`,
  );
  return `WITH contracts AS MATERIALIZED (${contracts}) SELECT ${columns.join(', ')}`;
}

/** Facts as a query returns them: decimals as text, and the operation that they are about. */
type Stored<Facts> = {
  readonly [Field in keyof Facts]: Facts[Field] extends Decimal ? string : Facts[Field];
} & {
  readonly operationId: string;
};

type SeriesRow = Stored<Omit<SeriesFacts, 'price' | 'lastPriceDate' | 'redemptionPaidOn'>> & {
  readonly priceDate: string | null;
  readonly price: string | null;
  readonly lastPriceDate: string | null;
  readonly redemptionPaidOn: string | null;
};

/** Loads all series issued by then, by operation, in one query. A payment without a series is of the whole operation. A redemption is known by its label; `parcial` is not of the whole series. */
export async function loadSeriesFacts(
  context: Context,
  operationIds: readonly string[],
  { position, overdueUntil }: Pick<PortfolioDay, 'position' | 'overdueUntil'>,
): Promise<Map<string, SeriesFacts[]>> {
  const rows = await context.manager.rows<SeriesRow>(seriesSql, [operationIds, position, overdueUntil]);
  const groups = groupBy(rows, ({ operationId }) => operationId);
  return new Map([...groups].map(([id, own]) => [id, own.map(toSeriesFacts)]));
}

function toSeriesFacts(row: SeriesRow): SeriesFacts {
  const { priceDate, price } = row;
  return {
    ...row,
    quantity: new Decimal(row.quantity),
    unitValue: new Decimal(row.unitValue),
    price: priceDate === null || price === null ? undefined : { date: priceDate, value: new Decimal(price) },
    lastPriceDate: row.lastPriceDate ?? undefined,
    redemptionPaidOn: row.redemptionPaidOn ?? undefined,
  };
}

const seriesSql = `
  SELECT series.operation_id AS "operationId", number, ticker, class, status, issue_date::text AS "issueDate",
    maturity_date::text AS "maturityDate", coalesce(later.units, subscribed_quotas, quantity) AS quantity, unit_value AS "unitValue",
    price.date::text AS "priceDate", price.value AS price,
    (SELECT max(date)::text FROM issuances.unit_prices WHERE series_id = series.id) AS "lastPriceDate",
    paid.redemption::text AS "redemptionPaidOn", coalesce(paid.unpaid, false) AS "hasUnpaid",
    paid.owed::text AS "owedRedemption",
    coalesce(paid.at_maturity, false) AS "isPaidAtMaturity",
    CASE WHEN paid.late_unknown IS NOT TRUE THEN coalesce(paid.late, 0.00)::text END AS "overdueTotal"
  FROM issuances.series
  LEFT JOIN LATERAL (
    SELECT date, value FROM issuances.unit_prices WHERE series_id = series.id AND date <= $2::date ORDER BY date DESC LIMIT 1
  ) AS price ON true
  LEFT JOIN LATERAL (
    SELECT max(paid_date) FILTER (WHERE paid_date <= $2::date AND event ~* 'resgate' AND NOT ${isPartialRedemption}) AS redemption,
      bool_or((paid_date IS NULL OR paid_date > $2::date) AND (series_id = series.id OR due_date <= $2::date)) AS unpaid,
      bool_or(paid_date <= $2::date AND due_date >= series.maturity_date AND series_id = series.id) AS at_maturity,
      sum(open) FILTER (WHERE is_owed AND is_due) AS owed, sum(open) FILTER (WHERE is_late AND NOT is_owed) AS late,
      bool_or(open IS NULL) FILTER (WHERE is_late AND NOT is_owed) AS late_unknown
    FROM issuances.payments CROSS JOIN LATERAL (SELECT issuances.open_on($2::date, id, total_value, open_value, paid_date, paid_parts) AS open,
      series_id = series.id AND due_date <= $2::date AND (paid_date IS NULL OR paid_date > $2::date) AS is_due,
      series_id = series.id AND due_date <= $3::date AND (paid_date IS NULL OR paid_date > $2::date) AS is_late,
      coalesce(price.value = 0, false) AND event ~* 'resgate' AND NOT ${isPartialRedemption} AS is_owed) AS own
    WHERE payments.operation_id = series.operation_id AND (series_id = series.id OR series_id IS NULL)
  ) AS paid ON true
  LEFT JOIN LATERAL (
    SELECT units FROM issuances.payments WHERE series_id = series.id AND paid_date > $2::date AND ${isPartialRedemption} ORDER BY paid_date, due_date LIMIT 1
  ) AS later ON true
  WHERE series.operation_id = ANY ($1) AND issue_date <= $2::date ORDER BY number`;
