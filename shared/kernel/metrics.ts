import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Metric, type Registry } from 'prom-client';
import type { Context } from './context.js';
import { shared } from '../memo.js';

/** A number that is read from the database when the metrics are scraped; the same in every process. */
export interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  read(context: Context): Promise<number>;
}

/** A measurement of a module: a metric of prom-client made with `registers: []`, or a number of the database. */
export type Measured = Metric | DatabaseGauge;

const readMs = 1_000;

/** Adds metrics to those that the process shows at `/metrics`. */
export function registerMetrics(registry: Registry, context: Context, metrics: readonly Measured[]): void {
  for (const metric of metrics) registry.registerMetric('read' in metric ? readWhenScraped(context, metric) : metric);
}

/** While the database does not respond the gauge has no value, and the other metrics are still served. */
function readWhenScraped(context: Context, gauge: DatabaseGauge): Gauge {
  const reads = shared<number>();
  return new Gauge({
    name: gauge.name,
    help: gauge.help,
    registers: [],
    async collect() {
      const late = sleep(readMs, undefined, { ref: false });
      const value = await Promise.race([reads('', () => gauge.read(context)), late]).catch(() => undefined);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}
