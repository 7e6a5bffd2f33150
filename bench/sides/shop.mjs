import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeSupergraph } from '../../dist/gateway/graph/compose.js';
import { nodeFlags } from '../../scripts/node-flags.mjs';
import { shopSubgraphs, subgraphNames } from '../federation/shop.mjs';
import { environment } from '../kit/platform.mjs';
import { answers, freePort, startProcess } from '../kit/processes.mjs';
import { startHive } from './hive.mjs';
import { installPeers } from './install-peers.mjs';

/** The query costs more than a caller of the program may spend. */
const env = { ...environment, GRAPHQL_MAX_COST: '1000000' };

/**
 * Starts the shop's subgraphs and the gateways before them, for the duration of the work.
 * @param {{folder: string, routers: {name: string, command: string}[]}} options `routers` are native routers of this machine
 * @param {(sides: {name: string, kind: string, where: string, url: string, pid: number}[]) => Promise<object[]>} work of the sides; ours is the first
 *   of its place
 */
export async function withShopSides({ folder, routers }, work) {
  const started = [];
  const start = async (...args) => {
    const running = await startShop(folder, ...args);
    started.push(running);
    return running;
  };
  const urls = {};
  for (const name of subgraphNames) urls[name] = `${(await start('subgraph', { SUBGRAPH: name })).url}/graphql`;
  const file = join(folder, 'shop.graphql');
  const supergraph = supergraphAt(urls);
  writeFileSync(file, supergraph);
  const remote = { SHOP_URLS: JSON.stringify(urls) };

  const sides = [];
  const add = (name, kind, where, { url, pid }) => sides.push({ name, kind, where, url: graphqlOf(url), pid });
  add('Lastro', 'ours', 'over HTTP', await start('lastro', remote));
  add('stock Apollo', 'stock', 'over HTTP', await start('apollo', remote));
  await installPeers();
  for (const [name, flags] of [
    ['Hive Gateway', []],
    ['Hive Gateway, native planner', ['--hive-router-runtime']],
  ]) {
    const hive = await startHive(folder, supergraph, { name: flags.length === 0 ? 'hive' : 'hive-native', flags });
    started.push(hive);
    add(name, 'javascript', 'over HTTP', hive);
  }
  if (routers.length === 0)
    process.stderr.write('Native routers are left out: --router names one that is installed on this machine\n');
  for (const native of routers) {
    const router = await startNative(folder, native, file);
    started.push(router);
    add(native.name, 'native', 'over HTTP', router);
  }
  add('Lastro', 'ours', 'in process', await start('lastro', {}));
  add('stock Apollo', 'stock', 'in process', await start('apollo', {}));
  const rows = await work(sides);
  for (const { stop } of started.reverse()) await stop();
  return rows;
}

function graphqlOf(url) {
  return url.endsWith('/graphql') ? url : `${url}/graphql`;
}

async function startShop(folder, file, more) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name: `shop-${more.SUBGRAPH ?? file}`,
    args: [...nodeFlags, fileURLToPath(new URL(`../federation/${file}.mjs`, import.meta.url))],
    env: { ...env, ...more, PORT: String(port) },
    cwd: folder,
    folder,
    ready: () => answers(`${url}/ready`),
  });
  return { ...running, url };
}

/**
 * Starts a native router that is installed on this machine. `{file}` and `{port}` in its command are the supergraph and the port; it is ready when it
 * answers the smallest query.
 */
async function startNative(folder, { name, command }, file) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const [program, ...args] = command.split(' ').map((part) => part.replace('{file}', file).replace('{port}', port));
  const running = await startProcess({
    name,
    command: program,
    args,
    env: { PORT: String(port) },
    cwd: folder,
    folder,
    ready: () => answers(`${url}?query=%7B__typename%7D`),
  });
  return { ...running, url };
}

/** Returns the shop's supergraph with these URLs. */
function supergraphAt(urls) {
  return Object.entries(urls).reduce(
    (sdl, [name, url]) => sdl.replace(`"http://${name}:4000/graphql"`, `"${url}"`),
    composeSupergraph(shopSubgraphs()),
  );
}
