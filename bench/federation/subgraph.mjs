// One of the shop's subgraphs over HTTP, with as little work of its own as possible: a document is parsed once and runs compiled. It takes requests from
// anybody and does not validate them.
import { createServer } from 'node:http';
import { parse } from 'graphql';
import { localDataSource } from '../../dist/gateway/graph/data-source.js';
import { benchContext, keyRing } from './context.mjs';
import { shopSubgraphs } from './shop.mjs';

const { schema } = shopSubgraphs().find(({ name }) => name === process.env.SUBGRAPH);
const source = localDataSource(schema, keyRing);
const documents = new Map();

async function respond(text) {
  const { query, variables } = JSON.parse(text);
  let document = documents.get(query);
  if (document === undefined) documents.set(query, (document = parse(query)));
  return JSON.stringify(await source.execute({ document, variables }, benchContext()));
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'GET') return response.end('ready');
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  return request.on('end', async () => {
    const body = Buffer.from(await respond(Buffer.concat(chunks).toString()));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});
process.once('SIGTERM', () => process.exit());
server.listen(Number(process.env.PORT), '127.0.0.1');
