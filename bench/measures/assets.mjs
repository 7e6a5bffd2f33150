import pg from 'pg';
import { Pool } from 'undici';
import { quantile } from '../kit/statistics.mjs';

const assets = 1_000_000;
const estates = 20;

const filters = [
  {},
  { status: 'ACTIVE' },
  { status: 'WRITTEN_OFF' },
  { type: 'CCB' },
  { type: 'PRECATORIO' },
  { status: 'DEFAULTED', type: 'CRI' },
  { patrimonyId: estateId(1) },
  { patrimonyId: estateId(estates) },
  { patrimonyId: estateId(1), status: 'ACTIVE' },
  { patrimonyId: estateId(1), type: 'CCB' },
  { patrimonyId: estateId(1), status: 'SETTLED', type: 'CRI' },
];
const common = [
  { search: 'silva' },
  { search: 'José Santos' },
  { search: 'oliveira', status: 'ACTIVE' },
  { search: 'souza', patrimonyId: estateId(1) },
  { search: 'ccb' },
];
const firstPage = [
  { page: 1, limit: 10 },
  { page: 1, limit: 100 },
];
const farPage = [
  { page: 1000, limit: 10 },
  { page: 1000, limit: 100 },
];

/** (h) Measures the documented list of assets with a million of them: every filter, the first page and the thousandth. */
export async function measureAssets({ platform, entry, timing }) {
  await fill(entry.databaseUrl);
  const requests = timing.rounds * timing.seconds * 4;
  const pool = new Pool(platform.url, { connections: 1 });
  const ask = async (path, query) => {
    const begun = performance.now();
    const { statusCode, body } = await pool.request({ path: `${path}?${new URLSearchParams(query)}`, method: 'GET' });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 500)}`);
    return performance.now() - begun;
  };
  const list = (query) => ask('/public/assets', query);
  const cases = (queries, pages) => queries.flatMap((query) => pages.map((page) => ({ ...query, ...page })));
  const name = '(h) `GET /public/assets`, 1,000,000 assets';

  const begun = [];
  for (const query of common) begun.push(await list(query));
  const figures = [
    [`${name}: no search, page 1, p99 of the slowest filter`, await slowest(list, cases(filters, firstPage), requests)],
    ['(h) the same, page 1,000', await slowest(list, cases(filters, farPage), requests)],
    [
      '(h) search by an external id, each time another one: p99',
      await slowest(() => list({ search: externalId(1 + Math.floor(Math.random() * assets)) }), [{}], requests),
    ],
    ['(h) search by common words, page 1, p99 of the slowest', await slowest(list, cases(common, firstPage), requests)],
    ['(h) the same, page 1,000', await slowest(list, cases(common, farPage), requests)],
    ['(h) `GET /public/assets/summary`: p99', await slowest(() => ask('/public/assets/summary', {}), [{}], requests)],
  ];
  await pool.close();
  return [
    ...figures.map(([figure, value]) => ({ name: figure, value, unit: 'ms', below: 50 })),
    {
      name: '(h) a search for a common word that was not asked for five minutes: the slowest',
      value: Math.max(...begun),
      unit: 'ms',
    },
  ];
}

/** Returns the highest p99 among the cases, which are requested in turn. */
async function slowest(ask, cases, requests) {
  const latencies = cases.map(() => []);
  for (let round = -3; round < requests; round += 1) {
    for (const [index, query] of cases.entries()) {
      const took = await ask(query);
      // The first rounds warm up.
      if (round >= 0) latencies[index].push(took);
    }
  }
  return Math.max(...latencies.map((one) => quantile(one, 0.99)));
}

function estateId(number) {
  return `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

function externalId(number) {
  return `CCB-${String(number).padStart(7, '0')}`;
}

/** Inserts twenty estates, the first of which has the most assets; statuses, types and names are distributed as unevenly as real ones. */
async function fill(connectionString) {
  // The limit of the program's role is for requests.
  const client = new pg.Client({ connectionString, options: '-c statement_timeout=0' });
  await client.connect();
  const ids = Array.from({ length: estates }, (_, index) => estateId(index + 1));
  await client.query(
    `INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
     SELECT id, 'BENCH' || n, 'Bench ' || n, 'bench-' || n, 'ACTIVE', now(), now() FROM unnest($1::uuid[]) WITH ORDINALITY AS e (id, n)`,
    [ids],
  );
  for (let from = 1; from <= assets; from += 100_000) await client.query(inserts, [ids, from, from + 99_999]);
  await client.query('VACUUM ANALYZE tokenization.assets');
  await client.end();
}

const given = `'{maria,jose,ana,joao,antonio,francisco,carlos,paulo,pedro,lucas,luiz,marcos,luis,gabriel,rafael,daniel,marcelo,bruno,
  eduardo,felipe,raimundo,rodrigo,manoel,mateus,andre,fernando,fabio,leonardo,gustavo,guilherme,leandro,tiago,anderson,ricardo,marcio,
  jorge,sebastiao,alexandre,roberto,edson,diego,vitor,sergio,claudio,thiago,geraldo,adriano,luciano,julia,beatriz}'::text[]`;
const family = `'{silva,santos,oliveira,souza,rodrigues,ferreira,alves,pereira,lima,gomes,ribeiro,carvalho,almeida,lopes,soares,
  fernandes,vieira,barbosa,rocha,dias,nascimento,andrade,moreira,nunes,marques,machado,mendes,freitas,cardoso,ramos,goncalves,santana,
  teixeira,araujo,pinto,costa,melo,barros,borges,campos}'::text[]`;

const inserts = `
  INSERT INTO tokenization.assets (id, patrimony_id, external_id, type, status, debtor_name, debtor_document, original_value,
    current_balance, received, interest_rate, installments, paid_installments, final_due_date, search_text, created_at, updated_at)
  SELECT (lpad(to_hex(1780000000000 + n), 12, '0') || '70008000' || substr(md5(n::text), 1, 12))::uuid, estate,
    'CCB-' || lpad(n::text, 7, '0'),
    CASE WHEN t < .7 THEN 'CCB' WHEN t < .85 THEN 'CRI' WHEN t < .95 THEN 'CRA' WHEN t < .99 THEN 'DEBENTURE' ELSE 'PRECATORIO' END,
    CASE WHEN s < .8 THEN 'ACTIVE' WHEN s < .95 THEN 'SETTLED' WHEN s < .99 THEN 'DEFAULTED' ELSE 'WRITTEN_OFF' END,
    initcap(name), '11222333000181', 10000 + n % 90000, CASE WHEN s >= .8 AND s < .95 THEN 0 ELSE 5000 END, 5000, 12.5, 36,
    CASE WHEN s >= .8 AND s < .95 THEN 36 ELSE 10 END, '2090-01-10', 'ccb ' || lpad(n::text, 7, '0') || ' ' || name, now(), now()
  FROM (
    SELECT n, random() AS t, random() AS s, ($1::uuid[])[1 + floor(power(random(), 2) * ${estates})::int] AS estate,
      (${given})[1 + floor(power(random(), 1.8) * 50)::int] || ' ' || (${family})[1 + floor(power(random(), 1.8) * 40)::int] ||
      CASE WHEN random() < .6 THEN ' ' || (${family})[1 + floor(power(random(), 1.8) * 40)::int] ELSE '' END AS name
    FROM generate_series($2::int, $3::int) AS n
  ) AS one`;
