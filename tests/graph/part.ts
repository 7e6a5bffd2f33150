// One part of a split deployment of the test graph, as a process of its own: `library`, `reviews`, or `gateway` with the
// addresses of the others. Says where it listens, in one line, and stops when its standard input ends.
import '../../bootstrap/registry.js';
import { composeSupergraph } from '../../gateway/graph/compose.js';
import { createGraph } from '../../gateway/graph/graph.js';
import { graphqlPlugin } from '../../gateway/graphql/plugin.js';
import { subgraphPlugin } from '../../gateway/graph/remote/plugin.js';
import { remoteDataSources } from '../../gateway/graph/remote/remote-data-source.js';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { createKeyRing } from '../../shared/security/crypto.js';
import { openDatabase } from '../../shared/database/database.js';
import { createLog } from '../../shared/kernel/log.js';
import { createTestEdge, open, testCallers } from '../rest/edge-kit.js';
import { librarySubgraph } from './library.js';
import { reviewsSubgraph } from './reviews.js';

const [part, databaseUrl = '', master = '', ...addresses] = process.argv.slice(2);
const keyRing = createKeyRing(Buffer.from(master, 'base64'));
const subgraphs = [librarySubgraph(), reviewsSubgraph()];
const source = await openDatabase({ url: databaseUrl, poolSize: 4, applicationName: 'part' });
const callers = testCallers();
const log = createLog('warn', { write: (line) => process.stderr.write(line) });
const { app } = createTestEdge(
  {},
  { keyRing, callers, parts: { clock: systemClock, log, manager: source.manager, bus: createLocalBus() } },
);

const subgraph = subgraphs.find(({ name }) => name === part);
if (subgraph === undefined) {
  const supergraphSdl = composeSupergraph(subgraphs);
  const config = loadConfig({ NODE_ENV: 'test', SUBGRAPH_URLS: addresses.join(',') });
  const sources = remoteDataSources(supergraphSdl, config.subgraphUrls, { keyRing, clock: systemClock });
  app.addHook('onClose', async () => {
    for (const remote of Object.values(sources)) await remote.close();
  });
  await graphqlPlugin(app, { graph: await createGraph({ supergraphSdl, sources }), config, callers });
} else subgraphPlugin(app, { subgraph, keyRing });

process.stdout.write(`${await open(app)}\n`);
process.stdin.resume().once('end', () => {
  void app
    .close()
    .then(() => source.destroy())
    .then(() => process.exit(0));
});
