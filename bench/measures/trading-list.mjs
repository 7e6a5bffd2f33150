import { load } from '../kit/load.mjs';

const orders = 100_000;
const deepPages = 500;

/**
 * (o) Measures pages of 50 of a wallet with 100,000 orders, beside as many of others, at a constant 50 requests a second: the first, and one half way
 * down.
 */
export async function measureOrderList({ platform, traders, database, seconds }) {
  const trader = traders.at(-1);
  await addOrders(database, [trader], orders);
  await addOrders(database, traders.slice(0, -1), orders);
  await database.query('ANALYZE trading.orders');
  const headers = { authorization: `Bearer ${trader.token}`, 'x-profile-id': trader.profileId };
  const base = `${platform.url}/v1/orders/fetchOrders`;
  const deep = `${base}?nextToken=${encodeURIComponent(await deepToken(base, headers))}`;
  const paced = { method: 'GET', headers, rate: 50, connections: 50 };
  const rows = [];
  for (const [name, url] of [
    ['first page', base],
    ['a page after 50,000 others', deep],
  ]) {
    await load({ ...paced, url, seconds: 2 });
    const { p50, p99 } = await load({ ...paced, url, seconds });
    rows.push(
      { name: `(o) \`fetchOrders\` of a wallet with 100,000, ${name}, 50/s: p50`, value: p50, unit: 'ms' },
      { name: '(o) its p99', value: p99, unit: 'ms', below: 30 },
    );
  }
  return rows;
}

/** Inserts orders of the last minutes without placing them, of these wallets in turn, each with the id of its time. */
async function addOrders(database, traders, count) {
  await database.query(
    `INSERT INTO trading.orders (id, company_id, wallet_id, synthetic, symbol, base, quote, side, type, time_in_force, post_only, amount,
       status, maker_fee, taker_fee, filled_amount, filled_value, exact_value, fee, exact_fee, created_at, filled_at, closed_at)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008' || substr(md5($2::text || n), 1, 15))::uuid,
       ($1::uuid[])[n % $3 + 1], ($2::uuid[])[n % $3 + 1], false, 'BTC/BRL', 'BTC', 'BRL', CASE n % 2 WHEN 0 THEN 'BUY' ELSE 'SELL' END,
       'MARKET', 'IOC', false, 0.001, 'FILLED', 0.2, 0.3, 0.001, 540.12, 540.1234, 1.62, 1.6203, at, at, at
     FROM generate_series(1, $4::integer) AS n, LATERAL (SELECT now() - n * interval '1 minute') AS moment (at)`,
    [traders.map(({ companyId }) => companyId), traders.map(({ walletId }) => walletId), traders.length, count],
  );
}

/** Returns the cursor after so many pages of 100, as a reader would reach it. */
async function deepToken(base, headers) {
  let token;
  for (let page = 0; page < deepPages; page += 1) {
    const query = token === undefined ? '' : `&nextToken=${encodeURIComponent(token)}`;
    const response = await fetch(`${base}?limit=100${query}`, { headers });
    if (!response.ok) throw new Error(`fetchOrders answered ${response.status}: ${await response.text()}`);
    token = (await response.json()).nextToken;
  }
  return token;
}
