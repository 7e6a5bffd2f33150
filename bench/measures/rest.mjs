import { deepStrictEqual } from 'node:assert';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { logIn } from '../kit/platform.mjs';
import { answerOf, interleave } from '../kit/load.mjs';
import { freePort, startProcess } from '../kit/processes.mjs';
import { compare } from './compare.mjs';

const handwritten = fileURLToPath(new URL('../sides/handwritten.mjs', import.meta.url));

/** The number of accounts that are requested, one after the other. */
const people = 24;

/** (a) Measures a read by REST through SOFA and GraphQL, against the same read by a hand-written handler. */
export async function measureRest({ platform, entry, folder, timing }) {
  const port = await freePort();
  const members = await makeMembers(platform, entry);
  const url = `http://127.0.0.1:${port}`;
  const other = await startProcess({
    name: 'handwritten',
    args: [handwritten],
    env: { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: entry.databaseUrl },
    folder,
    ready: async () => (await fetch(`${url}/accounts/${members[0].user.id}`)).ok,
  });
  const sides = [
    {
      requests: members.map(({ token }) => ({
        url: `${platform.url}/v1/emissoes/auth/me`,
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
      })),
      pids: platform.pids,
    },
    {
      requests: members.map(({ user }) => ({ url: `${url}/accounts/${user.id}`, method: 'GET' })),
      pids: () => [other.pid],
    },
  ];
  await requireSame(sides);
  const [ours, theirs] = await interleave(sides, timing);
  await other.stop();
  return [compare('(a) `GET /v1/emissoes/auth/me` ÷ Fastify + pg by hand', ours, theirs, 0.4)];
}

async function requireSame(sides) {
  const [ours, theirs] = await Promise.all(
    sides.map(({ requests }) => Promise.all(requests.map(async (request) => JSON.parse(await answerOf(request))))),
  );
  deepStrictEqual(ours, theirs, 'both sides have to return the same data');
}

/** Creates sessions of accounts like the demo's. */
async function makeMembers(platform, { account, databaseUrl }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `INSERT INTO accounts.accounts
       SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'email', 'bench-' || n || '@lastro.invalid'))).*
       FROM accounts.accounts AS one, generate_series(1, $2) AS n WHERE one.email = $1 RETURNING email`,
      [account.email, people],
    );
    return await Promise.all(rows.map(({ email }) => logIn(platform.url, { ...account, email })));
  } finally {
    await client.end();
  }
}
