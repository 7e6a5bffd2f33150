// A federated graph in one process as in Apollo's documentation: Apollo Server, Apollo Gateway, local data sources, all with defaults, over the same
// subgraph schemas. It does not authenticate the caller and has no limits.
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import fastifyApollo from '@as-integrations/fastify';
import Fastify from 'fastify';
import { composeSupergraph } from '../../dist/gateway/graph/compose.js';
import { openSubgraphs } from './domains.mjs';

const { subgraphs, contextFor, close } = await openSubgraphs();
const schemas = new Map(subgraphs.map(({ name, schema }) => [name, schema]));
const gateway = new ApolloGateway({
  supergraphSdl: composeSupergraph(subgraphs),
  buildService: ({ name }) => new LocalGraphQLDataSource(schemas.get(name)),
});
const apollo = new ApolloServer({ gateway });
await apollo.start();

const server = Fastify();
await server.register(fastifyApollo(apollo), { context: async () => contextFor() });
server.get('/ready', async () => 'ready');

process.once('SIGTERM', async () => {
  await server.close();
  await apollo.stop();
  await close();
  process.exit();
});
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
