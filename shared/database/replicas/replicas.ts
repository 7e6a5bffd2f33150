import { setTimeout as sleep } from 'node:timers/promises';
import type DataLoader from 'dataloader';
import pg, { type Pool } from 'pg';
import { Counter, Gauge, type Metric } from 'prom-client';
import { QueryResult } from 'typeorm';
import { z } from 'zod';
import type { Context, PublishedReads } from '../../kernel/context.js';
import type { Logger } from '../../kernel/log.js';
import { Manager } from '../manager.js';
import { openOwnPool } from '../own-pool.js';
import { responseMarginMs } from '../preparing-client.js';
import { unavailability } from '../unavailable.js';

export interface Replicas {
  readonly published: PublishedReads;
  readonly metrics: readonly Metric[];
  close(): Promise<void>;
}

export interface ReplicasOptions {
  readonly primaryUrl: string;
  readonly urls: readonly string[];
  readonly primary: Manager;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly maxLagMs: number;
  readonly log: Logger;
}

const publishedReads = new Counter({
  name: 'published_reads_total',
  help: 'Operations without a credential that read published data, by node (replica, primary); repeated counts statements that a replica failed and the primary ran.',
  labelNames: ['node'],
  registers: [],
});

/** Opens the standbys, and looks at each once, so that reads go to them from the start. One that is not used is in the log, and looked at again. */
export async function openReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { primaryUrl, urls, log, maxLagMs } = options;
  const primary = new Primary(openOwnPool(primaryUrl, log, { name: 'watch on the primary', max: 1 }), maxLagMs);
  const replicas = urls.map((url, index) => new Replica(index + 1, url, primary, options));
  const closing = new AbortController();
  const look = async (server: Primary | Replica) => {
    while (!closing.signal.aborted) {
      await sleep(Math.min(maxLagMs / 4, 1_000), undefined, { ref: false, signal: closing.signal }).catch(
        () => undefined,
      );
      await server.look();
    }
  };
  await primary.look();
  await Promise.all(replicas.map((replica) => replica.look()));
  const looking = [primary, ...replicas].map(look);
  let turn = 0;
  const pick = () => {
    turn += 1;
    const fresh = replicas.flatMap((replica) => replica.current() ?? []);
    return fresh[turn % fresh.length];
  };
  return {
    published: createPublishedReads(pick),
    metrics: metricsOf(replicas),
    close: async () => {
      closing.abort();
      const pools = [primary.pool, ...replicas.flatMap(({ pool, watch }) => [pool, watch])].map((pool) => pool.end());
      // A server that stands still keeps its connections.
      await Promise.race([Promise.all([...pools, ...looking]), sleep(2_000, undefined, { ref: false })]);
    },
  };
}

/** The history is the same for a server and the standbys that follow it; positions in the log of different ones cannot be compared. */
const shown = z.object({ isStandby: z.boolean(), history: z.string(), position: z.string().transform(BigInt) });

/**
 * The position is the end of what a primary has durably written, and of what a standby has replayed. The timeline of a standby is the highest of the last
 * restart point, of a recovery's aim, and of what it receives (pg_read_all_stats); the first two are late.
 */
const howItIs = `
  SELECT pg_is_in_recovery() AS "isStandby",
    concat_ws(' / ', (SELECT system_identifier FROM pg_control_system()),
      CASE WHEN pg_is_in_recovery() THEN
        greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
          (SELECT received_tli FROM pg_stat_wal_receiver))
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END,
      current_database(), (SELECT count(*) FROM shared.migrations)) AS history,
    (coalesce(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0') - '0/0')::text AS position`;

const hasNoSuchTable = (error: unknown) => error instanceof pg.DatabaseError && error.code === '42P01';

async function ask(pool: Pool): Promise<z.infer<typeof shown>> {
  const { rows } = await pool.query(howItIs).catch((error: unknown) => {
    throw hasNoSuchTable(error) ? new Error('it is no database of this program: check its address') : error;
  });
  return shown.parse(rows[0]);
}

/** Positions of the primary's log by time. Only this process asks for positions, so that no other clock matters. */
class Primary {
  history: string | undefined;
  #marks: { readonly position: bigint; readonly askedAt: number }[] = [];

  constructor(
    readonly pool: Pool,
    readonly keptMs: number,
  ) {}

  /** Adds a mark; none where the primary is away, which those report who need it. */
  async look(): Promise<void> {
    const askedAt = performance.now();
    const seen = await ask(this.pool).catch(() => undefined);
    if (seen === undefined || seen.isStandby) return;
    const isNew = seen.history !== this.history;
    this.#marks = isNew ? [] : this.#marks.filter((mark) => mark.askedAt >= askedAt - this.keptMs);
    this.#marks.push({ position: seen.position, askedAt });
    this.history = seen.history;
  }

  /** Returns the latest moment up to which a standby at a position has every acknowledged commit. */
  provedAt(position: bigint): number {
    return this.#marks.findLast((mark) => mark.position <= position)?.askedAt ?? Number.NEGATIVE_INFINITY;
  }
}

const unprovedLooks = 4;

/** One standby. Only a look finds it well; a failed statement, or a failed look, ends its use until then. */
class Replica {
  readonly pool: Pool;
  /** Apart, so that reads which take all connections of the pool do not make their standby look away. */
  readonly watch: Pool;
  #provedAt = Number.NEGATIVE_INFINITY;
  #manager: StandbyManager | undefined;
  #unproved = 0;
  #reported: string | undefined;

  constructor(
    readonly number: number,
    url: string,
    readonly primary: Primary,
    readonly options: ReplicasOptions,
  ) {
    const { log, poolSize, maxLagMs, statementTimeoutMs } = options;
    const timeoutMs = statementTimeoutMs + responseMarginMs;
    this.pool = openOwnPool(url, log, { name: `reads of replica ${number}`, max: poolSize, timeoutMs });
    this.watch = openOwnPool(url, log, { name: `watch on replica ${number}`, max: 1, timeoutMs: maxLagMs });
    // One that starts anew may begin with a state older than the one before.
    this.pool.on('error', (error) => this.rest(error));
  }

  /** The age that its state has at most by now, in milliseconds; infinite where nothing proves one. */
  get lagMs(): number {
    return performance.now() - this.#provedAt;
  }

  get isCurrent(): boolean {
    return this.lagMs <= this.options.maxLagMs;
  }

  /** Returns the manager that reads from this replica; undefined while the replica is not in use. */
  current(): Manager | undefined {
    return this.isCurrent && this.#manager?.isLeft === false ? this.#manager : undefined;
  }

  async look(): Promise<void> {
    try {
      const { isStandby, history, position } = await ask(this.watch);
      if (!isStandby) throw new Error('it is no standby: it is the primary itself, or was promoted');
      if (history !== (this.primary.history ?? history))
        throw new Error(
          `it has another history than DATABASE_URL (installation / timeline / database / migrations): ${history}, not ${this.primary.history}`,
        );
      this.#provedAt = this.primary.provedAt(position);
    } catch (error) {
      this.rest(error);
      return;
    }
    this.#unproved = this.isCurrent ? 0 : this.#unproved + 1;
    if (this.#unproved > unprovedLooks) this.#report('it is too far behind the primary, or the primary is away');
    if (!this.isCurrent) return;
    if (this.#manager?.isLeft !== false) this.#manager = new StandbyManager(this, this.options.primary);
    this.#report(undefined);
  }

  rest(error: unknown): void {
    this.#provedAt = Number.NEGATIVE_INFINITY;
    this.#manager?.leave(error);
    this.#report(error instanceof Error ? error.message : String(error));
  }

  /** Logs why it is not used, or that it is again; each once. */
  #report(reason: string | undefined): void {
    if (reason === this.#reported) return;
    const { log } = this.options;
    if (reason === undefined) log.info({ replica: this.number }, 'A database replica is used again');
    else log.warn({ replica: this.number, reason }, 'A database replica is not used; its reads go to the primary');
    this.#reported = reason;
  }
}

class StandbyLeft extends Error {}

/** Reads from a standby while it is current; from the first failure on from the primary, so that no operation goes back to an older state. */
class StandbyManager extends Manager {
  isLeft = false;
  /** Rejects once the standby is left: who waits for one that stands still asks the primary. */
  readonly #left: Promise<never>;
  leave: (why: unknown) => void = () => undefined;

  constructor(
    readonly replica: Replica,
    readonly primary: Manager,
  ) {
    super(primary.dataSource);
    this.#left = new Promise((_resolve, reject) => {
      this.leave = (why) => {
        this.isLeft = true;
        reject(new StandbyLeft('The standby was left', { cause: why }));
      };
    });
    this.#left.catch(() => undefined);
  }

  override async statement(text: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
    // Too old is for good, too: an operation that has read from the primary must not read something older after it.
    this.isLeft ||= !this.replica.isCurrent;
    if (this.isLeft) return this.primary.statement(text, parameters);
    const begun = performance.now();
    try {
      const reading = this.replica.pool.query<object>(text, [...parameters]);
      const { rows, rowCount } = await Promise.race([reading, this.#left]);
      return Object.assign(new QueryResult(), { raw: rows, records: rows, affected: rowCount });
    } catch (error) {
      if (!(error instanceof StandbyLeft) && unavailability(error) === undefined) throw error;
      // It would take as long on the primary.
      if (performance.now() - begun >= this.replica.options.statementTimeoutMs) throw error;
      publishedReads.inc({ node: 'repeated' });
      if (this.replica.current() === this) this.replica.rest(error);
      this.isLeft = true;
      return this.primary.statement(text, parameters);
    }
  }

  /** Several operations share it: what it reads is part of no trace. */
  override under(): Manager {
    return this;
  }

  override inTransaction<T>(): Promise<T> {
    return Promise.reject(new Error('A replica has no transactions: what decides a change is read from the primary'));
  }
}

/** Returns the metrics of a process; without replicas they have no values, or 0. */
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
        for (const { number, lagMs } of replicas)
          if (Number.isFinite(lagMs)) this.set({ replica: String(number) }, lagMs / 1000);
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
    // Loaders of the primary are not used for a replica.
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
