import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { host } from '../kit/network.js';
import { findPatroniTools, type PatroniTools } from '../kit/patroni-tools.js';
import { openPatroni, type PatroniCluster, type Roles } from '../kit/patroni.js';
import { until } from '../kit/until.js';
import { openFailoverHouse, type FailoverHouse } from './failover-kit.js';
import { startLoad, type Load } from './failover-load.js';
import {
  expectDelivered,
  expectOnce,
  expectProcessed,
  expectReadable,
  expectRecounted,
  ready,
  repair,
} from './failover-proof.js';

const full = process.env['FAILOVER_FULL'] === '1';
/** Seconds of writes: before the fault, until it is over, and until the end. */
const seconds = full ? { before: 10, fault: 70, end: 120 } : { before: 5, fault: 30, end: 32 };
const toolsOrWhy =
  full || process.env['FAILOVER'] === '1'
    ? found()
    : 'run it with FAILOVER=1, or FAILOVER_FULL=1 for every fault; it needs root';
if (typeof toolsOrWhy === 'string') process.stderr.write(`Skipped: failover of PostgreSQL (${toolsOrWhy})\n`);
const describeFailover = typeof toolsOrWhy === 'string' ? describe.skip : describe;

function found(): PatroniTools | string {
  try {
    return findPatroniTools();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Something that goes wrong, by the roles that the machines have then. @returns what puts it right */
type Fault = (cluster: PatroniCluster, roles: Roles) => Promise<(() => void) | undefined>;

const cut =
  (reach: (roles: Roles) => readonly string[]): Fault =>
  ({ network }, roles) => {
    for (const other of reach(roles)) network.cut(roles.primary, other);
    return Promise.resolve(() => {
      network.heal();
    });
  };
const faults: Readonly<Record<string, Fault>> = {
  'the machine of the primary is killed': async (cluster, { primary }) => {
    await cluster.kill(primary);
    return () => {
      cluster.start(primary);
    };
  },
  'another primary is asked for': async (cluster) => {
    await cluster.switchover();
    return undefined;
  },
  'nobody reaches the primary any more': cut(({ synchronous, others }) => [synchronous, ...others, host]),
  'the primary and the two others do not reach each other, and callers reach both halves': cut(
    ({ synchronous, others }) => [synchronous, ...others],
  ),
  'the primary and its synchronous standby do not reach each other, and both reach the third machine': cut(
    ({ synchronous }) => [synchronous],
  ),
};

describeFailover('Keyed writes to two instances on a cluster of Patroni', () => {
  let cluster: PatroniCluster;
  let house: FailoverHouse;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    if (typeof toolsOrWhy === 'string') return;
    cluster = await openPatroni(toolsOrWhy);
    open.push(cluster);
    house = await openFailoverHouse(cluster);
    open.push(house);
  }, 600_000);
  afterEach(() => {
    cluster.network.heal();
  });
  afterAll(async () => {
    for (const one of open.toReversed()) await one.close();
  });

  for (const [name, fault] of Object.entries(faults).slice(0, full ? undefined : 1)) {
    test(`while ${name}: nothing that was acknowledged is lost, what is repeated with its key exists once, and every event is delivered`, async () => {
      const roles = await cluster.whole();
      await ready(house);
      const load = startLoad(house);
      const begun = performance.now();
      const secondIs = (second: number) => sleep(Math.max(0, begun + second * 1000 - performance.now()));
      await secondIs(seconds.before);
      const at = performance.now();
      const mend = await fault(cluster, roles);
      const times = { at, done: performance.now() };
      await secondIs(seconds.fault);
      mend?.();
      await secondIs(seconds.end);
      await until('writes to go on', () => firstAfter(load, times.done) < Infinity, { within: 120_000 });
      await load.stop();
      await cluster.whole();
      await ready(house);
      report(name, load, times);

      const wrong = [...load.writes, ...load.reads].filter(({ outcome }) => outcome === 'wrong');
      expect(wrong.map(({ said }) => said)).toEqual([]);
      // Replicas serve public data for as long as REPLICA_MAX_LAG.
      expect(load.reads.filter(({ isPublic, outcome }) => isPublic && outcome !== 'acknowledged')).toEqual([]);
      await expectReadable(house, load.writes);
      const writes = [...load.writes, ...(await repair(house, load.writes))];
      await expectOnce(cluster, writes);
      await expectProcessed(cluster, writes);
      await expectRecounted(cluster, house);
      await expectDelivered(cluster, house, writes);
    }, 900_000);
  }
});

/** The moment at which the first write that was begun after another moment was acknowledged; infinite where none was. */
function firstAfter({ writes }: Load, moment: number): number {
  const after = writes.filter(({ outcome, begunAt }) => outcome === 'acknowledged' && begunAt > moment);
  return Math.min(...after.map(({ endedAt }) => endedAt));
}

/** Prints what was seen, for docs/operations/README.md. */
function report(name: string, load: Load, fault: { readonly at: number; readonly done: number }): void {
  const { writes, reads } = load;
  const counts = (all: readonly { readonly outcome: string }[]) =>
    ['acknowledged', 'refused', 'unknown', 'wrong']
      .map((outcome) => `${all.filter((one) => one.outcome === outcome).length} ${outcome}`)
      .join(', ');
  const unknown = writes.filter(({ said }) => said.includes('whether it was made is unknown')).length;
  const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged');
  const first = firstAfter(load, fault.done);
  const ends = acknowledged.map(({ endedAt }) => endedAt).toSorted((one, other) => one - other);
  const gap = Math.max(...ends.map((end, index) => end - (ends[index - 1] ?? end)));
  const lines = [
    `While ${name}:`,
    `  writes: ${counts(writes)}; ${unknown} of those refused may have been made`,
    `  reads without a credential: ${counts(reads.filter(({ isPublic }) => isPublic))}`,
    `  reads with a key: ${counts(reads.filter(({ isPublic }) => !isPublic))}`,
    `  first write acknowledged ${inSeconds(first - fault.at)} after the fault; longest time without one ${inSeconds(gap)}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
