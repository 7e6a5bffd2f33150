import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment } from '../kit/platform.mjs';
import { answers, freePort, startProcess } from '../kit/processes.mjs';
import { startHive } from './hive.mjs';
import { installPeers } from './install-peers.mjs';

const names = ['accounts', 'issuances'];

/** Starts the peers that the chosen measures need, on the database of the running program, for the duration of the work. */
export async function withPeers(bench, work) {
  const peers = await startPeers(bench);
  const rows = await work(peers);
  for (const { stop } of peers) await stop();
  return rows;
}

async function startPeers({ entry, folder, options: { only } }) {
  const peers = [];
  const shared = { ...environment, DATABASE_URL: entry.databaseUrl, OWNER: entry.user.id };
  if (only.has('b') || only.has('d')) {
    const apollo = await startSide('stock-apollo', shared, folder);
    peers.push({
      letter: 'b',
      name: 'stock Apollo',
      url: `${apollo.url}/graphql`,
      pids: () => [apollo.pid],
      stop: apollo.stop,
    });
  }
  if (only.has('c') || only.has('d')) {
    await installPeers();
    const behind = [];
    for (const name of names) behind.push(await startSide('subgraph', { ...shared, SUBGRAPH: name }, folder));
    const hive = await startHive(
      folder,
      supergraphAt(Object.fromEntries(names.map((name, at) => [name, behind[at].url]))),
    );
    const processes = [hive, ...behind];
    peers.push({
      letter: 'c',
      name: 'Hive Gateway',
      url: hive.url,
      pids: () => processes.map(({ pid }) => pid),
      stop: async () => {
        for (const { stop } of processes) await stop();
      },
    });
  }
  return peers;
}

async function startSide(name, env, folder) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name: env.SUBGRAPH ?? name,
    args: [fileURLToPath(new URL(`${name}.mjs`, import.meta.url))],
    env: { ...env, PORT: String(port) },
    folder,
    ready: () => answers(`${url}/ready`),
  });
  return { ...running, url };
}

/** Returns the committed supergraph with the URLs of its deployment replaced by these. */
function supergraphAt(urls) {
  const committed = readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8');
  return names.reduce(
    (sdl, name) => sdl.replace(`"http://${name}:4000/graphql"`, `"${urls[name]}/graphql"`),
    committed,
  );
}
