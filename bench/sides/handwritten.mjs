// A good hand-written implementation of one path: Fastify, a parametrised statement through pg, the same JSON. It requires no credential and has
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

process.once('SIGTERM', async () => {
  await server.close();
  await pool.end();
});
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
