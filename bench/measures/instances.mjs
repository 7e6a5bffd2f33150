import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, summary } from '../kit/load.mjs';
import { startPlatform } from '../kit/platform.mjs';
import { freePort, startProcess } from '../kit/processes.mjs';
import { number, table } from '../kit/report.mjs';
import { familyOf } from '../kit/usage.mjs';
import { requestsTo } from './graphql.mjs';
import { measureDeliveries } from './webhooks.mjs';

const counts = [1, 2, 3];
const subgraphs = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];
const balancer = fileURLToPath(new URL('../sides/balancer.mjs', import.meta.url));

/**
 * Measures 1, 2 and 3 instances of each role. All of them, PostgreSQL and the load share the machine's cores, so that the rate cannot grow with them; the
 * processor time of the program's processes and of PostgreSQL, without Redis and the balancer, shows what it costs that there are several. Returns a Markdown table.
 */
export async function measureInstances(bench) {
  const redis = await startRedis(bench.folder);
  const house = { ...bench, env: partsOf(bench, redis.url) };
  try {
    const rows = [
      ['`all`, a query of one subgraph', ...(await wholePrograms(house))],
      ['`gateway`, the same query', ...(await gateways(house))],
      ['`subgraph:issuances` behind one gateway, the same query', ...(await publishers(house))],
      ['`worker`, deliveries of webhooks', ...(await measureDeliveries(bench, counts))],
    ];
    return table(
      ['role', ...columns('per second'), ...columns('CPU ms per request')],
      rows.map(([name, ...samples]) => [
        name,
        ...samples.map(({ perSecond }) => number(perSecond)),
        ...samples.map(({ processorMs }) => number(processorMs, 3)),
      ]),
    );
  } finally {
    await redis.stop();
  }
}

const columns = (figure) => counts.map((count) => `${count} ${count === 1 ? 'instance' : 'instances'}: ${figure}`);

/** The environment of processes on the database of a running program. */
function partsOf({ entry }, redisUrl) {
  const url = new URL(entry.databaseUrl);
  url.searchParams.delete('host');
  return { DATABASE_URL: url.href, DATABASE_POOL: '4', REDIS_URL: redisUrl, DEMO: 'false' };
}

async function startRedis(folder) {
  const port = await freePort();
  const started = await startProcess({
    name: 'redis',
    command: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', ''],
    folder,
    ready: () => accepts(port),
  });
  return { ...started, url: `redis://127.0.0.1:${port}` };
}

/** Whether somebody listens at a port. */
async function accepts(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

/** Starts several processes with the same environment, one after the other: they would compete for the cores. */
async function startSeveral({ folder, env }, count, more) {
  const started = [];
  for (let index = 0; index < count; index += 1)
    started.push(await startPlatform(folder, undefined, { ...env, ...more }));
  return started;
}

const stopEach = (started) => Promise.all(started.map((one) => one.stop()));

/** Loads the sides in turn, each at all of its entrances; the processor time is that of its processes and of PostgreSQL. */
async function loadSides({ platform, entry, timing }, sides) {
  const postmaster = Number(readFileSync(join(platform.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const loaded = sides.map(({ entrances, processes }) => {
    const [first, ...others] = entrances.map(({ url }) => requestsTo(`${url}/graphql`, entry)[0]);
    return {
      requests: first.flatMap((request, index) => [request, ...others.map((requests) => requests[index])]),
      pids: () => [...processes.map(({ pid }) => pid), ...familyOf(postmaster)],
    };
  });
  return (await interleave(loaded, timing)).map(summary);
}

async function wholePrograms(house) {
  const programs = await startSeveral(house, counts.at(-1), { ROLE: 'all' });
  const sides = counts.map((count) => ({ entrances: programs.slice(0, count), processes: programs.slice(0, count) }));
  const samples = await loadSides(house, sides);
  await stopEach(programs);
  return samples;
}

/** Starts one process of every subgraph. @returns their addresses, as SUBGRAPH_URLS has them */
async function startSubgraphs(house) {
  const started = [];
  for (const name of subgraphs) started.push(...(await startSeveral(house, 1, { ROLE: `subgraph:${name}` })));
  return { started, urls: started.map(({ url }, index) => [subgraphs[index], `${url}/graphql`]) };
}

const listed = (urls) => urls.map((pair) => pair.join('=')).join();

async function gateways(house) {
  const { started, urls } = await startSubgraphs(house);
  const programs = await startSeveral(house, counts.at(-1), { ROLE: 'gateway', SUBGRAPH_URLS: listed(urls) });
  const sides = counts.map((count) => ({
    entrances: programs.slice(0, count),
    processes: [...programs.slice(0, count), ...started],
  }));
  const samples = await loadSides(house, sides);
  await stopEach([...programs, ...started]);
  return samples;
}

/** One gateway for each number of instances, since its connections stay with the instance that they got. */
async function publishers(house) {
  const { started, urls } = await startSubgraphs(house);
  const issuances = subgraphs.indexOf('issuances');
  const more = await startSeveral(house, counts.at(-1) - 1, { ROLE: 'subgraph:issuances' });
  const instances = [started[issuances], ...more];
  const sides = [];
  const entrances = [];
  for (const count of counts) {
    const balanced = await startBalancer(house.folder, instances.slice(0, count));
    const own = urls.map(([name, url]) => [name, name === 'issuances' ? `${balanced.url}/graphql` : url]);
    const [gateway] = await startSeveral(house, 1, { ROLE: 'gateway', SUBGRAPH_URLS: listed(own) });
    entrances.push(gateway, balanced);
    sides.push({ entrances: [gateway], processes: [gateway, ...started, ...more.slice(0, count - 1)] });
  }
  const samples = await loadSides(house, sides);
  await stopEach([...entrances, ...more, ...started]);
  return samples;
}

async function startBalancer(folder, instances) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = await startProcess({
    name: 'balancer',
    args: [balancer],
    env: { PORT: String(port), TARGETS: instances.map(({ url: one }) => new URL(one).port).join() },
    folder,
    ready: () => accepts(port),
  });
  return { ...started, url };
}
