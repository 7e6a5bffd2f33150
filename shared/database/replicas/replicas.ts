import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Metric } from 'prom-client';
import type { Pool } from 'pg';
import type DataLoader from 'dataloader';
import type { PublishedReads, Context } from '../../kernel/context.js';
import type { Manager } from '../manager.js';
import { openOwnPool } from '../own-pool.js';
import type { Logger } from '../../kernel/log.js';
import { createMarks, type Marks } from './marks.js';
import { publishedReads } from './replica-manager.js';
import { Replica, type ReplicaOptions, readWritten } from './replica.js';

export interface Replicas {
  readonly published: PublishedReads;
  readonly metrics: readonly Metric[];
  close(): Promise<void>;
}

export interface ReplicasOptions extends Omit<ReplicaOptions, 'number' | 'url' | 'marks'> {
  readonly primaryUrl: string;
  readonly urls: readonly string[];
  readonly log: Logger;
}

/** Looks at a server that is away are this far apart at most. */
const longestPauseMs = 5_000;

/** Opens the standbys, and looks at each once, so that reads go to them from the start. One that is away or refused is said in the log, and looked at again. */
export async function openReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { maxLagMs, log, primaryUrl, urls } = options;
  const marks = createMarks(maxLagMs);
  const replicas = urls.map((url, index) => new Replica({ ...options, url, number: index + 1, marks }));
  const primary = openOwnPool(primaryUrl, log, { name: 'watch on the primary', max: 1 });
  const closing = new AbortController();
  const rhythm: Rhythm = { everyMs: Math.min(maxLagMs / 4, 1_000), closed: closing.signal };
  await mark(primary, marks);
  await Promise.all(replicas.map((replica) => replica.look()));
  const loops = [
    inRhythm(rhythm, () => mark(primary, marks)),
    ...replicas.map((replica) => inRhythm(rhythm, () => replica.look())),
  ];
  let turn = 0;
  const pick = () => {
    turn += 1;
    for (let index = 0; index < replicas.length; index += 1) {
      const manager = replicas[(turn + index) % replicas.length]?.current();
      if (manager !== undefined) return manager;
    }
    return undefined;
  };
  return {
    published: createPublishedReads(pick),
    metrics: metricsOf(replicas),
    close: async () => {
      closing.abort();
      await Promise.all(loops);
      await Promise.all([primary.end(), ...replicas.map((replica) => replica.close())]);
    },
  };
}

/** Marks what the primary has written. @returns false where it does not say: whoever needs the primary reports that */
async function mark(primary: Pool, marks: Marks): Promise<boolean> {
  const askedAt = performance.now();
  try {
    marks.add({ ...(await readWritten(primary)), askedAt });
    return true;
  } catch {
    return false;
  }
}

interface Rhythm {
  readonly everyMs: number;
  readonly closed: AbortSignal;
}

async function inRhythm({ everyMs, closed }: Rhythm, look: () => Promise<boolean>): Promise<void> {
  const isOver = () => closed.aborted;
  for (let pauseMs = everyMs; !isOver();) {
    await sleep(pauseMs, undefined, { ref: false, signal: closed }).catch(() => undefined);
    if (isOver()) return;
    pauseMs = (await look()) ? everyMs : Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** Returns the metrics of a process; those of one without replicas have no values, or 0. */
export function metricsOf(replicas: readonly Replica[]): Metric[] {
  return [
    publishedReads,
    new Gauge({
      name: 'database_replicas',
      help: 'Replicas that published data may be read from, by state: fresh ones are used, others are away, refused or too old.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const fresh = replicas.filter((replica) => replica.current() !== undefined).length;
        this.set({ state: 'fresh' }, fresh);
        this.set({ state: 'unused' }, replicas.length - fresh);
      },
    }),
    new Gauge({
      name: 'database_replica_lag_seconds',
      help: 'The age that the state of a replica has at most, by its place in DATABASE_REPLICA_URLS; no value while nothing proves one.',
      labelNames: ['replica'],
      registers: [],
      collect() {
        this.reset();
        for (const { number, lagSeconds } of replicas) {
          if (Number.isFinite(lagSeconds)) this.set({ replica: String(number) }, lagSeconds);
        }
      },
    }),
  ];
}

/** Callers with a credential read from the primary, where their changes are never missing. @param pick returns a current replica, if any */
function createPublishedReads(pick: () => Manager | undefined): PublishedReads {
  const choose = () => {
    const manager = pick();
    publishedReads.inc({ node: manager === undefined ? 'primary' : 'replica' });
    return manager;
  };
  const ofOperation = (): PublishedReads => {
    // What was loaded from the primary stays apart from what a replica shows.
    const loaders = new Map<unknown, DataLoader<never, unknown>>();
    const contexts = new WeakMap<Context, Context>();
    let choice: { readonly manager: Manager | undefined } | undefined;
    const own: PublishedReads = {
      ofOperation: () => own,
      contextFor: (context) => {
        if (context.principal.kind !== 'ANONYMOUS' && context.principal.kind !== 'WEBSITE') return context;
        const { manager } = (choice ??= { manager: choose() });
        if (manager === undefined || manager === context.manager) return context;
        // One and the same for all parts of the operation, which count what they read by it.
        const known = contexts.get(context) ?? { ...context, manager, loaders };
        contexts.set(context, known);
        return known;
      },
    };
    return own;
  };
  return { ofOperation, contextFor: (context) => ofOperation().contextFor(context) };
}
