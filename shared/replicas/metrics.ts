import { Counter } from 'prom-client';

/** Operations that read published data, by the node that they were given, and statements that were repeated on the primary. */
export const publishedReads = new Counter({
  name: 'published_reads_total',
  help: 'Operations that read published data, by node (replica, primary); repeated counts statements that a replica failed and the primary ran.',
  labelNames: ['node'],
  registers: [],
});
