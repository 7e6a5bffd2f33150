import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalBus } from '../../dist/shared/bus.js';
import { loadCalendar } from '../../dist/shared/calendar/calendar.js';
import { civilDate, fixedClock } from '../../dist/shared/clock.js';
import { createContext } from '../../dist/shared/context.js';
import { openDatabase } from '../../dist/shared/database/database.js';
import { createLog } from '../../dist/shared/log.js';
import { repriceAll } from '../../dist/subgraphs/tokenization/price-runs/reprice-all.js';
import { demoCredentials } from '../kit/platform.mjs';
import { load } from '../kit/load.mjs';

const count = 10_000;

/** (i) Measures the unit prices of a business day for 10,000 series, computed by the program while it serves requests. */
export async function measurePricing({ platform, entry }) {
  const source = await openDatabase({ url: entry.databaseUrl, poolSize: 2, applicationName: 'bench' });
  try {
    const day = await prepare(source.manager);
    const { operatorKey: key } = demoCredentials(platform.dataDir);
    const list = { url: `${platform.url}/public/tranches`, method: 'GET', rate: 50, connections: 50 };
    await load({ ...list, seconds: 5 });
    const before = await load({ ...list, seconds: 10 });
    await source.query(`UPDATE tokenization.tranches SET status = 'ACTIVE' WHERE ticker LIKE 'BENCH-%'`);
    const begun = performance.now();
    const [during] = await Promise.all([load({ ...list, seconds: 5 }), reprice(platform, key)]);
    const seconds = await untilPriced(source, day, begun);
    return [
      { name: `(i) unit prices of a day, ${count} series of all kinds`, value: seconds, unit: 's', below: 60 },
      { name: '(i) GET /public/tranches at 50/s before it: p99', value: before.p99, unit: 'ms' },
      { name: '(i) meanwhile: p99', value: during.p99, unit: 'ms' },
    ];
  } finally {
    await source.destroy();
  }
}

/** Adds the series with the prices of every day but the last, as drafts that no job processes. @returns the last day */
async function prepare(manager) {
  const calendar = await loadCalendar(manager);
  const today = calendar.preceding(civilDate(new Date()));
  const first = calendar.addBusinessDays(today, -40);
  await addIndexValues(manager, calendar, first, today);
  await manager.transaction(async (tx) => {
    await addSeries(tx, calendar, first);
    const log = createLog('error', process.stderr);
    const clock = fixedClock(`${calendar.addBusinessDays(today, -1)}T15:00:00Z`);
    await repriceAll(createContext({ clock, log, manager: tx, bus: createLocalBus() }), { calendar });
    await tx.query(`UPDATE tokenization.tranches SET status = 'DRAFT' WHERE ticker LIKE 'BENCH-%'`);
    await tx.query(`DELETE FROM shared.outbox WHERE topic = 'tranche.unit_price_updated'`);
  });
  await manager.query('ANALYZE tokenization.tranches, tokenization.unit_prices, tokenization.schedule_entries');
  return today;
}

async function addIndexValues(manager, calendar, first, today) {
  const days = [];
  for (let day = first; day < today; day = calendar.addBusinessDays(day, 1)) days.push(day);
  await manager.query(
    `INSERT INTO tokenization.index_values (index_name, date, version, value, recorded_at)
     SELECT 'DI', day, 1, 14.9, now() FROM unnest($1::date[]) AS day
     UNION ALL SELECT name, month, 1, 7000 + 30 * row_number() OVER (PARTITION BY name ORDER BY month), now()
     FROM unnest(ARRAY['IPCA', 'IGPM']) AS name, generate_series(date_trunc('month', $2::date) - interval '12 months',
       date_trunc('month', $2::date) + interval '1 month', interval '1 month') AS month
     ON CONFLICT DO NOTHING`,
    [days, today],
  );
}

/** Adds series of every kind with rates of two decimals, started on the last forty business days, with 36 instalments each. */
async function addSeries(manager, calendar, first) {
  await manager.query(
    `INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
     VALUES (gen_random_uuid(), 'BENCH', 'Bench', 'bench', 'ACTIVE', now(), now())`,
  );
  const starts = Array.from({ length: 39 }, (_, index) => calendar.addBusinessDays(first, index));
  await manager.query(
    `INSERT INTO tokenization.tranches (id, patrimony_id, ticker, name, status, class_name, token_quantity,
       remuneration_start_date, issue_value, day_count, rate, indexer, di_percentage, di_lag_business_days,
       index_lag_months, index_anniversary_day, index_pro_rata, index_base, created_at, updated_at)
     SELECT gen_random_uuid(), p.id, 'BENCH-' || lpad(n::text, 6, '0'), 'Bench ' || n, 'ACTIVE', 'SENIOR', 1000 + n,
       ($1::date[])[1 + n % 39], 1000, (ARRAY['BUS252', 'CIVIL_360', 'CIVIL_365'])[1 + n % 3], 2 + (n * 37 % 1500) / 100.0,
       kind, CASE kind WHEN 'DI' THEN 90 + n % 21 END, CASE kind WHEN 'DI' THEN 0 END,
       CASE WHEN priced THEN 2 END, CASE WHEN priced THEN 1 + n % 28 END, CASE WHEN priced THEN 'BUSINESS_DAYS' END,
       CASE WHEN priced THEN 'LAST_EVENT' END, now(), now()
     FROM tokenization.patrimonies p, generate_series(1, ${count}) AS n,
       LATERAL (SELECT (ARRAY['NONE', 'DI', 'DI', 'IPCA', 'IGPM'])[1 + n % 5] AS kind) AS k,
       LATERAL (SELECT kind IN ('IPCA', 'IGPM') AS priced) AS i
     WHERE p.ticker = 'BENCH'`,
    [starts],
  );
  await manager.query(
    `INSERT INTO tokenization.schedule_entries (tranche_id, installment_number, calculation_date, due_date, interest_event,
       amortization_percentage)
     SELECT t.id, n, t.remuneration_start_date + n * interval '1 month', t.remuneration_start_date + n * interval '1 month',
       'PAID', round(100.0 / (37 - n), 4)
     FROM tokenization.tranches t, generate_series(1, 36) AS n WHERE t.ticker LIKE 'BENCH-%'`,
  );
}

/** Requests the prices and waits until they are computed. */
async function reprice(platform, key) {
  const { reprice: request } = await ask(platform, key, 'mutation { reprice { id } }');
  for (;;) {
    const document = `{ repriceRequest(id: "${request.id}") { finishedAt missing { input series } fault } }`;
    const { finishedAt, missing, error } = (await ask(platform, key, document)).repriceRequest;
    if (error !== null || missing.length > 0) throw new Error(`Prices wait: ${error ?? JSON.stringify(missing)}`);
    if (finishedAt !== null) return;
    await sleep(500);
  }
}

async function ask(platform, key, query) {
  const response = await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await response.json();
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

/** The job may have taken some of the pages: the day is complete when every series has its price. */
async function untilPriced(source, day, begun) {
  for (;;) {
    const [{ left }] = await source.query(
      `SELECT count(*)::integer AS left FROM tokenization.tranches WHERE ticker LIKE 'BENCH-%' AND priced_on <> $1`,
      [day],
    );
    if (left === 0) return (performance.now() - begun) / 1000;
    if (performance.now() - begun > 300_000) throw new Error(`${left} series were not priced`);
  }
}
