// Good hand-written implementations of three paths: Fastify, parametrised statements through pg, the same JSON. They require no credential and have
// no limits, request ids, error envelope or metrics.
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const server = Fastify();

server.get('/accounts/:id', async (request, reply) => {
  const { rows } = await pool.query(
    'SELECT id, email, name, company, owner_type AS "ownerType" FROM accounts.accounts WHERE id = $1',
    [request.params.id],
  );
  return rows[0] ?? reply.code(404).send({ statusCode: 404, message: 'No such account', error: 'Not Found' });
});

server.get('/patrimonies', async () => {
  const { rows } = await pool.query(
    `SELECT p.id, p.ticker, p.name, p.slug, p.status, p.created_at AS "createdAt",
       (SELECT count(*)::int FROM tokenization.tranches WHERE patrimony_id = p.id) AS "trancheCount",
       (SELECT coalesce(sum(count), 0)::int FROM tokenization.asset_totals WHERE patrimony_id = p.id) AS "assetCount",
       (SELECT round(coalesce(sum(issue_value * token_quantity) FILTER (WHERE status <> 'DRAFT'), 0), 2)
         FROM tokenization.tranches WHERE patrimony_id = p.id) AS "totalIssued",
       count(*) OVER ()::int AS count
     FROM tokenization.patrimonies AS p ORDER BY p.ticker LIMIT $1`,
    [100],
  );
  return { items: rows.map(({ count: _count, ...item }) => item), count: rows[0]?.count ?? 0 };
});

server.get('/tranches/:ticker/unit-prices', async (request, reply) => {
  const { rows } = await pool.query(
    `SELECT to_char(price.date, 'YYYY-MM-DD') AS date, price.unit_price::text AS "unitPrice", price.vna::text AS "nominalValue",
       price.interest_j::text AS "interestJ", trunc(price.amortization, 9)::text AS amortization, trunc(price.payment, 9)::text AS payment, price.version, price.calculated_at AS "calculatedAt",
       price.count
     FROM (
       SELECT DISTINCT ON (date) p.*, count(*) OVER ()::int AS count FROM tokenization.unit_prices p JOIN tokenization.tranches t ON t.id = p.tranche_id
       WHERE t.ticker = $1 AND date BETWEEN $2 AND $3 ORDER BY date, p.version DESC) AS price
     ORDER BY price.date`,
    [request.params.ticker, request.query.from, request.query.to],
  );
  if (rows.length === 0)
    return reply.code(404).send({ statusCode: 404, message: 'No such series', error: 'Not Found' });
  return { items: rows.map(({ count: _count, ...item }) => item), count: rows[0].count };
});

process.once('SIGTERM', async () => {
  await server.close();
  await pool.end();
});
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
