import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Pool } from 'pg';
import { cacheLookups } from '../shared/cache-lookups.js';
import { createMailer } from '../shared/mail/mailer.js';
import { createRelay } from '../shared/outbox/relay.js';
import { countPutOff, outboxLagSeconds } from '../shared/outbox/relay.store.js';
import { retentionJob } from '../shared/retention.js';
import { createScheduler } from '../shared/scheduler.js';
import { singleFlight } from '../shared/single-flight.js';
import type { Infrastructure } from './infrastructure.js';
import type { Domains } from './subgraphs.js';

export interface Background {
  /** Stops the background work once the step under way is done. */
  close(): Promise<void>;
}

/** Starts the background work: relay, mail, webhook deliveries, batch processing and jobs. Any number of instances share it. */
export async function startBackground(infrastructure: Infrastructure, domains: Domains): Promise<Background> {
  const { context, config, keyRing, registry } = infrastructure;
  const relay = createRelay(context, { consumers: domains.all.flatMap(({ consumers = [] }) => consumers) });
  const duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time that jobs took, by job and outcome.',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [registry],
  });
  for (const metric of domains.all.flatMap(({ metrics = [] }) => metrics)) registry.registerMetric(metric);
  for (const gauge of domains.all.flatMap(({ gauges = [] }) => gauges))
    databaseGauge(registry, { ...gauge, read: () => gauge.read(context) });
  const jobs = [...domains.all.flatMap((domain) => domain.jobs), retentionJob];
  const scheduler = createScheduler(context, jobs, {
    onFinished: (job, outcome, seconds) => {
      duration.observe({ job, outcome }, seconds);
    },
  });
  const engines = [
    createMailer(context, keyRing, config.mail),
    domains.webhooks.openEngine(context, registry),
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

/** Registers the infrastructure metrics, which are read when Prometheus scrapes. */
export function measureInfrastructure({ context, dataSource, registry }: Infrastructure): void {
  registry.registerMetric(cacheLookups);
  // TypeORM's driver keeps its pg pool in `master`, typed as any.
  const { master } = dataSource.driver as unknown as { master: Pool };
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of this process to PostgreSQL, by state; waiting are requests without one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'total' }, master.totalCount);
      this.set({ state: 'idle' }, master.idleCount);
      this.set({ state: 'waiting' }, master.waitingCount);
    },
  });
  databaseGauge(registry, {
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event that waits to be published.',
    read: () => outboxLagSeconds(context),
  });
  databaseGauge(registry, {
    name: 'outbox_put_off_events',
    help: 'Events that wait for another try because a consumer failed on them; the log says why.',
    read: () => countPutOff(context),
  });
}

const measureMs = 1_000;

interface Measured {
  readonly name: string;
  readonly help: string;
  readonly read: () => Promise<number>;
}

/** Registers a gauge whose value is read from the database. While the database does not respond it has no value, and the other metrics are still served. */
function databaseGauge(registry: Registry, { name, help, read }: Measured): void {
  const readOnce = singleFlight(read);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const late = sleep(measureMs, undefined, { ref: false });
      const value = await Promise.race([readOnce(), late]).catch(() => undefined);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}
