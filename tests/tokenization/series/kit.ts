import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Manager } from '../../../shared/database/manager.js';
import { newId } from '../../../shared/kernel/ids.js';

type Columns = Readonly<Record<string, unknown>>;

async function add(manager: Manager, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  await manager.query(
    `INSERT INTO tokenization.${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
}

const made = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };

/** Adds an estate in force, and answers its id. */
export async function addEstate(manager: Manager, ticker: string): Promise<string> {
  const id = newId();
  const row = { id, ticker, name: `Patrimônio ${ticker}`, slug: ticker.toLowerCase(), status: 'ACTIVE', ...made };
  await add(manager, 'patrimonies', row);
  return id;
}

/** The columns that make a series follow an indexer. */
export const follows = {
  di: { indexer: 'DI', di_percentage: '100', di_lag_business_days: 0 },
  ipca: {
    indexer: 'IPCA',
    index_lag_months: 2,
    index_anniversary_day: 15,
    index_pro_rata: 'BUSINESS_DAYS',
    index_base: 'LAST_EVENT',
    projection: 'PROVISIONAL',
  },
} as const;

/** Adds a series in force of 1,000 units of R$ 1.000,00 at 12 % a year since 2 March 2026, and answers its id. */
export async function addSeries(
  manager: Manager,
  patrimonyId: string,
  ticker: string,
  columns: Columns = {},
): Promise<string> {
  const id = newId();
  await add(manager, 'tranches', {
    id,
    patrimony_id: patrimonyId,
    ticker,
    name: `Série ${ticker}`,
    status: 'ACTIVE',
    class_name: 'SENIOR',
    token_quantity: 1000,
    remuneration_start_date: '2026-03-02',
    issue_value: '1000',
    day_count: 'BUS252',
    rate: '12',
    indexer: 'NONE',
    ...made,
    ...columns,
  });
  return id;
}

/** Adds an instalment that pays interest, and `amortization` percent of the balance. */
export async function addInstalment(
  manager: Manager,
  trancheId: string,
  number: number,
  day: string,
  amortization: string,
  columns: Columns = {},
): Promise<void> {
  await add(manager, 'schedule_entries', {
    tranche_id: trancheId,
    installment_number: number,
    calculation_date: day,
    due_date: day,
    interest_event: 'PAID',
    amortization_percentage: amortization,
    ...columns,
  });
}

/** Adds values of an index, by day, as a new version of each, published on a day, or long before. */
export async function addIndexValues(
  manager: Manager,
  index: 'DI' | 'IPCA' | 'IGPM',
  values: Readonly<Record<string, string>>,
  publishedOn = '2026-01-01',
): Promise<void> {
  await manager.query(
    `INSERT INTO tokenization.index_values (index_name, date, version, value, recorded_at, published_on)
     SELECT $1, day, 1 + coalesce((SELECT max(version) FROM tokenization.index_values v
       WHERE v.index_name = $1 AND v.date = day), 0), value, '2026-01-01T00:00:00Z', $4
     FROM unnest($2::date[], $3::numeric[]) AS s(day, value)`,
    [index, Object.keys(values), Object.values(values), publishedOn],
  );
}

export function calendarOf(manager: Manager): Promise<Calendar> {
  return loadCalendar(manager);
}

/** A rate of DI for each business day of a period, a little different every week. */
export function diRates(calendar: Calendar, from: string, to: string): Record<string, string> {
  const rates: Record<string, string> = {};
  let count = 0;
  for (let day = calendar.following(from); day <= to; day = calendar.addBusinessDays(day, 1)) {
    rates[day] = `14.${String(10 + (Math.floor(count++ / 5) % 80))}`;
  }
  return rates;
}

/** Index numbers of the months from the first one on, which grow by 0,5 % and a little. */
export function indexNumbers(firstMonth: string, count: number): Record<string, string> {
  const numbers: Record<string, string> = {};
  const [year = 0, month = 1] = firstMonth.split('-').map(Number);
  for (let index = 0; index < count; index++) {
    const date = new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 10);
    numbers[date] = (7000 + 35 * index + (index % 3)).toFixed(2);
  }
  return numbers;
}

/** An assigned credit of one instalment, without further terms, as credit assignment announces it. */
export function assignedCredit(externalId: string, faceValue: string, dueDate: string, id = newId()) {
  return {
    ...{ id, externalId, debtorDocument: '12345678909', faceValue, dueDate, type: 'CCB', debtorName: null },
    ...{ purchasePrice: null, interestRate: null, installments: [{ dueDate, amount: faceValue }] },
  };
}

/** Adds a credit of R$ 1.200,00 in `due.length` equal instalments due on some days, none of which is paid, and answers its id. */
export async function addCredit(
  manager: Manager,
  patrimonyId: string,
  externalId: string,
  due: readonly string[],
  columns: Columns = {},
): Promise<string> {
  const id = typeof columns['id'] === 'string' ? columns['id'] : newId();
  await add(manager, 'assets', {
    id,
    patrimony_id: patrimonyId,
    external_id: externalId,
    type: 'CCB',
    status: 'ACTIVE',
    debtor_name: 'Maria da Silva',
    debtor_document: '52998224725',
    original_value: '1200',
    current_balance: '1200',
    interest_rate: '12',
    installments: due.length,
    next_due_date: due[0] ?? null,
    final_due_date: due.at(-1) ?? '2026-12-31',
    search_text: externalId.toLowerCase(),
    ...made,
    ...columns,
  });
  for (const [index, day] of due.entries()) {
    await add(manager, 'asset_installments', {
      asset_id: id,
      installment_number: index + 1,
      due_date: day,
      amount: (1200 / due.length).toFixed(2),
      status: 'PENDING',
    });
  }
  return id;
}
