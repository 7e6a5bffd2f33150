import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A federation router of somebody else: it gets the supergraph, and has an address. */
export interface Router {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

/** How a router is started; `missing` says what it would take. */
export interface RouterProduct {
  readonly name: string;
  readonly missing: string | undefined;
  readonly open: (folder: string, supergraph: string) => Promise<Router>;
}

/** The headers that our subgraphs read. */
const passedOn = ['authorization', 'x-request-id', 'x-idempotency-key'];

const native = process.env['TEST_HIVE_ROUTER'];

export const products: readonly RouterProduct[] = [
  {
    name: 'Hive Gateway',
    missing: process.env['TEST_ROUTERS'] === '1' ? undefined : 'TEST_ROUTERS=1 installs it',
    open: openHiveGateway,
  },
  {
    name: 'Hive Router',
    missing: native === undefined ? 'TEST_HIVE_ROUTER names its program, which cargo installs' : undefined,
    open: openHiveRouter,
  },
];

/** Loads a part of the bench, whose JavaScript has no types. */
function partOfBench(path: string): Promise<unknown> {
  return import(`../../bench/${path}.mjs`);
}

/** The configuration of Hive Gateway that passes on what our subgraphs read. */
const gatewayConfig = `const names = ${JSON.stringify(passedOn)};
export const gatewayConfig = {
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) =>
      Object.fromEntries(names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name)]] : []))),
  },
};
`;

async function openHiveGateway(folder: string, supergraph: string): Promise<Router> {
  const { installPeers } = (await partOfBench('sides/install-peers')) as {
    installPeers: () => Promise<void>;
  };
  const { startHive } = (await partOfBench('sides/hive')) as {
    startHive: (folder: string, supergraph: string, options: object) => Promise<Router>;
  };
  await installPeers();
  const config = join(folder, 'gateway.config.mjs');
  writeFileSync(config, gatewayConfig);
  return startHive(folder, supergraph, { flags: ['--config-path', config] });
}

async function openHiveRouter(folder: string, supergraph: string): Promise<Router> {
  const { answers, freePort, startProcess } = (await partOfBench('kit/processes')) as {
    answers: (url: string) => Promise<boolean>;
    freePort: () => Promise<number>;
    startProcess: (options: object) => Promise<Omit<Router, 'url'>>;
  };
  const [port, file, config] = [await freePort(), join(folder, 'router.graphql'), join(folder, 'router.config.json')];
  writeFileSync(file, supergraph);
  writeFileSync(
    config,
    JSON.stringify({
      supergraph: { source: 'file', path: file },
      http: { host: '127.0.0.1', port },
      headers: { all: { request: [{ propagate: { named: passedOn } }] } },
    }),
  );
  const url = `http://127.0.0.1:${String(port)}`;
  const running = await startProcess({
    name: 'hive-router',
    command: native,
    args: [],
    env: { ROUTER_CONFIG_FILE_PATH: config },
    folder,
    ready: () => answers(`${url}/readiness`),
  });
  return { ...running, url: `${url}/graphql` };
}
