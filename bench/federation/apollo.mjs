// Apollo Server and Apollo Gateway with all defaults in front of the shop: its subgraphs in this process, or where `SHOP_URLS` says.
import { ApolloGateway, LocalGraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import fastifyApollo from '@as-integrations/fastify';
import Fastify from 'fastify';
import { composeSupergraph } from '../../dist/gateway/graph/compose.js';
import { shopSubgraphs } from './shop.mjs';

const subgraphs = shopSubgraphs();
const schemas = new Map(subgraphs.map(({ name, schema }) => [name, schema]));
const urls = process.env.SHOP_URLS === undefined ? undefined : JSON.parse(process.env.SHOP_URLS);
const gateway = new ApolloGateway({
  supergraphSdl: composeSupergraph(subgraphs),
  buildService: ({ name }) =>
    urls === undefined
      ? new LocalGraphQLDataSource(schemas.get(name))
      : new RemoteGraphQLDataSource({ url: urls[name] }),
});
const apollo = new ApolloServer({ gateway });
await apollo.start();

const server = Fastify();
await server.register(fastifyApollo(apollo));
server.get('/ready', async () => 'ready');
process.once('SIGTERM', () => process.exit());
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
