// The program's gateway in front of the shop: its HTTP server with everything that it does for each request, its GraphQL interface and its graph. The
// subgraphs are in this process, or where `SHOP_URLS` says.
import { Registry } from 'prom-client';
import { composeSupergraph } from '../../dist/gateway/graph/compose.js';
import { localDataSource } from '../../dist/gateway/graph/data-source.js';
import { createLimiter, createMemoryCounter } from '../../dist/gateway/http/limits/limiter.js';
import { createServer } from '../../dist/gateway/http/server.js';
import { createGraph } from '../../dist/gateway/graph/graph.js';
import { graphqlPlugin } from '../../dist/gateway/graphql/plugin.js';
import { remoteDataSources } from '../../dist/gateway/graph/remote/remote-data-sources.js';
import { loadConfig } from '../../dist/shared/kernel/config.js';
import { keyRing, parts } from './context.mjs';
import { shopSubgraphs } from './shop.mjs';

const config = loadConfig();
const subgraphs = shopSubgraphs();
const supergraphSdl = composeSupergraph(subgraphs);
const urls = process.env.SHOP_URLS;
const sources =
  urls === undefined
    ? Object.fromEntries(subgraphs.map(({ name, schema }) => [name, localDataSource(schema, keyRing)]))
    : remoteDataSources(supergraphSdl, JSON.parse(urls), { keyRing, clock: parts.clock });

const callers = {
  authenticate: () => Promise.resolve(undefined),
  findClient: () => Promise.resolve(undefined),
  touch: () => undefined,
};
const app = createServer({
  config,
  parts,
  keyRing,
  callers,
  limiter: createLimiter(createMemoryCounter(parts.clock), parts.clock),
  registry: new Registry(),
  checks: {},
});
await graphqlPlugin(app, { graph: await createGraph({ supergraphSdl, sources }), config, callers });
app.get('/ready', { config: { edge: { credential: 'none', bucket: 'unmetered' } } }, async () => 'ready');

process.once('SIGTERM', async () => {
  await app.close();
  process.exit();
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
