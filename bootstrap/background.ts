import { Gauge, Histogram, type Metric } from 'prom-client';
import { Pool } from 'pg';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { subscriptionReaders, subscriptionRuns, subscriptionsRefused } from '../gateway/live/metrics.js';
import { cacheLookups } from '../shared/memo.js';
import { createMailer, failingMails } from '../shared/work/mail/mailer.js';
import { registerMetrics, type DatabaseGauge } from '../shared/kernel/metrics.js';
import { outboxLag, putOffEvents, createRelay } from '../shared/events/outbox/relay.js';
import { retentionJob } from '../shared/work/retention.js';
import { metricsOf } from '../shared/database/replicas/replicas.js';
import { createScheduler } from '../shared/work/scheduler.js';
import type { Infrastructure } from './infrastructure.js';
import type { Domains } from './subgraphs.js';

const jobSeconds = new Histogram({
  name: 'job_duration_seconds',
  help: 'Duration of jobs, by job and outcome.',
  labelNames: ['job', 'outcome'],
  buckets: [0.01, 0.1, 1, 10, 60, 600],
  registers: [],
});

export interface Background {
  close(): Promise<void>;
}

/** Starts the background work: relay, mail, webhook deliveries, batch processing and jobs. Any number of instances share it. */
export async function startBackground(infrastructure: Infrastructure, domains: Domains): Promise<Background> {
  const { context, config, keyRing, registry } = infrastructure;
  const relay = createRelay(context, { consumers: domains.all.flatMap(({ consumers = [] }) => consumers) });
  registerMetrics(registry, context, [jobSeconds, ...domains.all.flatMap(({ metrics = [] }) => metrics)]);
  const jobs = [...domains.all.flatMap((domain) => domain.jobs), retentionJob];
  const scheduler = createScheduler(context, jobs, {
    onFinished: (job, outcome, seconds) => jobSeconds.observe({ job, outcome }, seconds),
  });
  const engines = [
    createMailer(context, keyRing, config.mail),
    domains.webhooks.openEngine(context),
    domains.creditAssignment.openEngine(context),
    domains.trading.transfers.openEngine(context),
  ];
  for (const engine of engines) await engine.start();
  relay.start();
  scheduler.start();
  return {
    close: async () => {
      await scheduler.stop();
      await relay.stop();
      await Promise.all(engines.map((engine) => engine.stop()));
    },
  };
}

export function measureInfrastructure({ context, dataSource, writingError, replicas, registry }: Infrastructure): void {
  const { driver } = dataSource;
  const pool: unknown = driver instanceof PostgresDriver ? driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('The data source has no pool of PostgreSQL');
  const live = [subscriptionReaders, subscriptionRuns, subscriptionsRefused];
  const events = [outboxLag, putOffEvents, failingMails];
  const database = [poolConnections(pool), writability(writingError)];
  registerMetrics(registry, context, [
    cacheLookups,
    ...database,
    ...(replicas?.metrics ?? metricsOf([])),
    ...events,
    ...live,
  ]);
}

function writability(writingError: Infrastructure['writingError']): DatabaseGauge {
  return {
    name: 'database_writable',
    help: '1 while PostgreSQL can be written to, 0 while it is read-only or its disk is full.',
    read: async () => ((await writingError()) === undefined ? 1 : 0),
  };
}

function poolConnections(pool: Pool): Metric {
  return new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of this process to PostgreSQL, by state; waiting counts the requests that wait for a connection.',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'total' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}
