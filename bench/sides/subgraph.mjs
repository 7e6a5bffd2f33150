// One of the program's subgraphs over HTTP, with the minimum of a subgraph server: a document is parsed once and runs compiled. It does not authenticate
// the caller, and does not validate what the gateway sends.
import Fastify from 'fastify';
import { parse } from 'graphql';
import { localDataSource } from '../../dist/gateway/graph/data-source.js';
import { openSubgraphs } from './domains.mjs';

const { subgraphs, keyRing, contextFor, close } = await openSubgraphs();
const { schema } = subgraphs.find(({ name }) => name === process.env.SUBGRAPH);
const source = localDataSource(schema, keyRing);
const documents = new Map();

const server = Fastify();
server.get('/ready', async () => 'ready');
server.post('/graphql', async ({ body: { query, variables } }) => {
  let document = documents.get(query);
  if (document === undefined) documents.set(query, (document = parse(query)));
  return source.execute({ document, variables }, contextFor());
});

process.once('SIGTERM', async () => {
  await server.close();
  await close();
  process.exit();
});
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
