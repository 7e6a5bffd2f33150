import { deepStrictEqual } from 'node:assert';
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { logIn } from '../kit/platform.mjs';
import { answerOf, interleave } from '../kit/load.mjs';
import { answers, freePort, startProcess } from '../kit/processes.mjs';
import { installPeers, peerFolder } from '../sides/install-peers.mjs';
import { compare, compareProcessor } from './compare.mjs';

const handwritten = fileURLToPath(new URL('../sides/handwritten.mjs', import.meta.url));

/** The number of accounts that are requested, one after the other. */
const people = 24;

/** Public reads, which the program answers from its response cache: a page of a list, and a month of prices. */
const publicPaths = [
  '/patrimonies?limit=100',
  '/tranches/AURORA-TK1/unit-prices?from=2026-09-01&to=2026-09-30&limit=100',
];

/** (a) Measures reads by REST through SOFA and GraphQL, against the same reads by hand-written handlers. */
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
  const pids = () => [other.pid];
  const own = [
    {
      requests: members.map(({ token }) => ({
        url: `${platform.url}/v1/emissoes/auth/me`,
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
      })),
      pids: platform.pids,
    },
    { requests: members.map(({ user }) => ({ url: `${url}/accounts/${user.id}`, method: 'GET' })), pids },
  ];
  const rows = [await against('`GET /v1/emissoes/auth/me`', own, timing)];
  rows.push(await measureDuties(own[0], members, { entry, folder, timing }));
  for (const path of publicPaths) {
    const sides = [
      { requests: [{ url: `${platform.url}/public${path}`, method: 'GET' }], pids: platform.pids },
      { requests: [{ url: `${url}${path}`, method: 'GET' }], pids },
    ];
    rows.push(await against(`\`GET /public${path}\`, cached,`, sides, timing));
  }
  await other.stop();
  return rows;
}

/**
 * Compares the processor time of the same path with a handler that has the duties of ours: it checks a token and its session, limits requests, and writes ids, a log and metrics.
 */
async function measureDuties(ours, members, { entry, folder, timing }) {
  await installPeers();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = randomBytes(32).toString('hex');
  const usual = await startProcess({
    name: 'usual',
    args: [join(peerFolder, 'usual.mjs')],
    env: { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: entry.databaseUrl, TOKEN_SECRET: secret },
    folder,
    ready: () => answers(`${url}/healthz`),
  });
  const requests = members.map(({ token }) => ({
    url: `${url}/me`,
    method: 'GET',
    headers: { authorization: `Bearer ${signedAgain(token, secret)}` },
  }));
  const sides = [ours, { requests, pids: () => [usual.pid] }];
  await requireSame(sides);
  const samples = await interleave(sides, timing);
  await usual.stop();
  return compareProcessor(
    '(a) processor time of `GET /v1/emissoes/auth/me` ÷ the same duties by Fastify and its plugins',
    samples[0],
    samples[1],
    0.8,
  );
}

/** Returns a token with the claims of another one, signed for the other side. */
function signedAgain(token, secret) {
  const [, claims] = token.split('.');
  const text = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${claims}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Loads both sides in turn, after a check that they return the same data. */
async function against(name, sides, timing) {
  await requireSame(sides);
  const samples = await interleave(sides, timing);
  return compare(`(a) ${name} ÷ Fastify + pg by hand`, samples[0], samples[1], 0.4);
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
