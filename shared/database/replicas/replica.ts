import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openStandby, type Database, type DatabaseOptions, type VerifyConnection } from '../database.js';
import type { Manager } from '../manager.js';
import { lackingMigrations, type SchemaMigrations } from '../migrate.js';
import { openOwnPool } from '../own-pool.js';
import { NoResponse } from '../unavailable.js';
import type { Logger } from '../../kernel/log.js';
import type { History, Marks, Lsn } from './marks.js';
import { ReplicaManager } from './replica-manager.js';
import { z } from 'zod';

export interface ReplicaOptions extends Omit<DatabaseOptions, 'patienceMs' | 'onWait'> {
  /** Its place in `DATABASE_REPLICA_URLS`, from 1. */
  readonly number: number;
  readonly statementTimeoutMs: number;
  readonly migrations: readonly SchemaMigrations[];
  readonly primary: Manager;
  readonly marks: Marks;
  readonly maxLagMs: number;
  readonly log: Logger;
}

const farewellMs = 2_000;

const tooFarBehind =
  'is too far behind the primary, which serves its reads meanwhile: see whether it replays (pg_stat_replication, pg_is_wal_replay_paused()), or raise REPLICA_MAX_LAG';

class Refused extends Error {}

/** One standby. Only `look` finds it well; a failed read, and a look without a response, end its use until then. */
export class Replica {
  readonly number: number;
  readonly #options: ReplicaOptions;
  readonly #watcher: Pool;
  #standby: Promise<Database> | undefined;
  /** The start of the server that its connections must lead to. */
  #startedAt: string | undefined;
  #manager: ReplicaManager | undefined;
  #provedAt = Number.NEGATIVE_INFINITY;
  /** Since when it is not current, although it responds and the primary says what it has written. */
  #behindSince: number | undefined;
  #reported: string | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.number = options.number;
    this.#watcher = openOwnPool(options.url, options.log, { name: `watch on replica ${options.number}`, max: 1 });
  }

  /** How old its state may be by now, in seconds; infinite where nothing proves one. */
  get lagSeconds(): number {
    return (performance.now() - this.#provedAt) / 1000;
  }

  /** Returns what reads from it; undefined while it is away, refused or too old. */
  current(): Manager | undefined {
    return this.#isCurrent() && this.#manager?.isLeft === false ? this.#manager : undefined;
  }

  /** Asks the server once how it is. @returns whether it responded as a standby that may be used once it is current */
  async look(): Promise<boolean> {
    try {
      const seen = await this.#asked();
      await this.#settle(seen);
      this.#reportAge();
      return true;
    } catch (error) {
      this.#giveUp();
      this.#report(error instanceof Error ? error.message : String(error), error instanceof Refused);
      return false;
    }
  }

  async close(): Promise<void> {
    this.#giveUp();
    const standby = await this.#standby?.catch(() => undefined);
    const ended = Promise.all([this.#watcher.end(), standby?.destroy()]);
    // A server that stands still keeps the connections of statements that were given up.
    await Promise.race([ended, sleep(farewellMs, undefined, { ref: false })]);
  }

  #isCurrent(): boolean {
    return performance.now() - this.#provedAt <= this.#options.maxLagMs;
  }

  /** Reads how it is. A server that stands still would make reads wait for as long as it does. */
  async #asked(): Promise<Seen> {
    const { maxLagMs } = this.#options;
    const asking = readSeen(this.#watcher);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new NoResponse(`it did not respond within ${maxLagMs} ms`)), maxLagMs);
    });
    return Promise.race([asking, late]).finally(() => clearTimeout(timer));
  }

  async #settle(seen: Seen): Promise<void> {
    const { marks } = this.#options;
    const primary = marks.latest();
    // Without the primary nothing proves how current a standby is.
    if (primary === undefined) return;
    const refusal = refusalOf(seen, primary);
    if (refusal !== undefined) throw new Refused(refusal);
    if (seen.startedAt !== this.#startedAt) {
      // A standby that was started anew may begin with a state older than the one before.
      this.#giveUp();
      this.#startedAt = seen.startedAt;
    }
    const standby = await this.#opened();
    this.#provedAt = marks.provedAt(seen.replayed ?? 0n) ?? Number.NEGATIVE_INFINITY;
    if (this.#manager?.isLeft !== false && this.#isCurrent()) this.#manager = this.#managerOn(standby);
  }

  /** Opens its pool at the first time. @throws {Refused} when it is not the database of the program */
  #opened(): Promise<Database> {
    if (this.#standby !== undefined) return this.#standby;
    const opening = this.#open();
    this.#standby = opening;
    opening.catch(() => {
      this.#standby = undefined;
    });
    return opening;
  }

  async #open(): Promise<Database> {
    const { migrations } = this.#options;
    const standby = await openStandby(this.#options, this.#verify);
    const lacking = await lackingMigrations(standby, migrations).catch(async (error: unknown) => {
      await standby.destroy();
      throw error;
    });
    if (lacking.length === 0) return standby;
    await standby.destroy();
    const [first, ...others] = lacking;
    const which = others.length === 0 ? first : `${first} and ${others.length} more`;
    throw new Refused(
      `lacks the migrations ${which}: check that its address names the same database as DATABASE_URL; a standby that is behind has them soon`,
    );
  }

  /** Refuses connections that lead to another server than the one that was looked at: an address before several servers mixes older and newer states. */
  readonly #verify: VerifyConnection = (client, done) => {
    client.query<{ startedAt: string }>(whichServer).then(
      ({ rows }) => {
        const isSame = rows[0]?.startedAt === this.#startedAt;
        done(
          isSame ? undefined : new NoResponse('the address leads to more than one server: give each its own address'),
        );
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };

  #managerOn(standby: Database): ReplicaManager {
    const { primary, statementTimeoutMs } = this.#options;
    return new ReplicaManager({
      standby,
      primary,
      statementTimeoutMs,
      isCurrent: () => this.#isCurrent(),
      onFailure: (error) => this.#report(error instanceof Error ? error.message : String(error)),
    });
  }

  #giveUp(): void {
    this.#provedAt = Number.NEGATIVE_INFINITY;
    this.#behindSince = undefined;
    this.#manager?.leave();
    this.#manager = undefined;
  }

  /** Reports whether it is current, after as long as the bound, so that neither a start nor the bound makes a line at each look. */
  #reportAge(): void {
    const { marks, maxLagMs } = this.#options;
    const now = performance.now();
    const markedAt = marks.latest()?.askedAt ?? Number.NEGATIVE_INFINITY;
    const isCurrent = this.#isCurrent();
    this.#behindSince = isCurrent || now - markedAt > maxLagMs ? undefined : (this.#behindSince ?? now);
    if (isCurrent) this.#report(undefined);
    else if (this.#behindSince !== undefined && now - this.#behindSince >= maxLagMs) this.#report(tooFarBehind, true);
  }

  /** Logs why it is not used, or that it is again; each once. @param isSentence whether the reason says of the replica what to do */
  #report(reason: string | undefined, isSentence = false): void {
    if (reason === this.#reported) return;
    const { log, number } = this.#options;
    const wasReported = this.#reported !== undefined;
    this.#reported = reason;
    if (reason === undefined) {
      if (wasReported) log.info({ replica: number }, 'A database replica is used again');
    } else if (isSentence) log.warn({ replica: number }, `Database replica ${number} ${reason}`);
    else log.warn({ replica: number, reason }, 'A database replica is away; its reads go to the primary');
  }
}

/** Why a server cannot stand in for the primary, and what to do; undefined if it can. `marks.ts` decides whether it is current. */
export function refusalOf(seen: Seen, primary: History): string | undefined {
  if (seen.system !== primary.system)
    return 'is of another installation than DATABASE_URL: give DATABASE_REPLICA_URLS standbys that were made from that server';
  if (!seen.standby)
    return 'is no standby: it is the primary itself, or was promoted. It is used again once it follows the server of DATABASE_URL';
  if (seen.timeline > primary.timeline)
    return `follows a server that was promoted (timeline ${seen.timeline}), and DATABASE_URL leads to one that was not (timeline ${primary.timeline}): point DATABASE_URL to the new primary`;
  if (seen.timeline < primary.timeline)
    return (
      `does not show that it follows the new primary (timeline ${primary.timeline}; it shows ${seen.timeline}). ` +
      'If it streams from it, this ends with its next checkpoint, or at once where the role of its address is granted pg_read_all_stats'
    );
  return undefined;
}

const position = z.string().regex(/^\d+$/).transform(BigInt);

const written = z.object({ system: z.string(), timeline: z.number(), lsn: position });

/** Returns what the primary has durably written. @throws where it is in recovery itself, or away */
export async function readWritten(pool: Pool): Promise<History & { readonly lsn: Lsn }> {
  const { rows } = await pool.query(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline,
       (pg_current_wal_flush_lsn() - '0/0')::text AS lsn`,
  );
  return written.parse(rows[0]);
}

const seen = z.object({
  standby: z.boolean(),
  system: z.string(),
  timeline: z.number(),
  replayed: position.nullable(),
  startedAt: z.string(),
});

interface Seen extends History {
  readonly standby: boolean;
  /** The end of what it has replayed; null before the first record. */
  readonly replayed: Lsn | null;
  /** The start of the server, to the microsecond: no two servers have the same. */
  readonly startedAt: string;
}

/** The timeline is the highest of the last restart point, of a recovery's aim, and of what it receives (pg_read_all_stats); the first two are late. */
async function readSeen(pool: Pool): Promise<Seen> {
  const { rows } = await pool.query(
    `SELECT pg_is_in_recovery() AS standby, (SELECT system_identifier::text FROM pg_control_system()) AS system,
       greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
         (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline,
       (pg_last_wal_replay_lsn() - '0/0')::text AS replayed, pg_postmaster_start_time()::text AS "startedAt"`,
  );
  return seen.parse(rows[0]);
}

const whichServer = 'SELECT pg_postmaster_start_time()::text AS "startedAt"';
