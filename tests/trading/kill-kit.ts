import { Client } from 'pg';
import { openDatabase, type Database } from '../../shared/database/database.js';
import { fundSynthetic } from '../../subgraphs/trading/profiles/profiles.acts.js';
import { openOwnPostgres } from '../hostile/postgres-kit.js';
import { until } from '../kit/until.js';
import { build, killGroup, newDataFolder, startProgram, type Program } from '../start/program.js';
import { openDistantExchange } from './distant-exchange.js';
import { contextOn, credit } from './domain-kit.js';
import { newTrader, plenty, walletOf, type TestTrader } from './kit.js';

/** How far time goes on while nobody runs: every lease of those who were killed is over by then. */
const downMs = 45_000;

/** A company with a real and a synthetic wallet. */
export interface Bank {
  readonly trader: TestTrader;
  readonly wallets: Readonly<Record<'real' | 'synthetic', string>>;
}

/** The program, its database and its exchange, of which each can be killed by itself. */
export type KillPlatform = Awaited<ReturnType<typeof openKillPlatform>>;

export async function openKillPlatform() {
  await build();
  const postgres = await openOwnPostgres(undefined, { durable: true });
  const [folder, exchange] = [await newDataFolder(), await openDistantExchange()];
  const programs: Program[] = [];
  let source: Database | undefined;
  let url: string | undefined;
  const startOne = async () => {
    const program = startProgram({
      program: ['--import', './tests/kit/typescript.mjs', 'tests/trading/kill-program.ts'],
      env: {
        ...plenty,
        DATA_DIR: folder.dataDir,
        DATABASE_URL: postgres.url,
        DATABASE_POOL: '12',
        VENUE_URL: exchange.url,
        CLOCK_AHEAD_MS: String(programs.length * downMs),
        LOG_LEVEL: 'warn',
      },
    });
    programs.push(program);
    url = (await program.ready).replace('localhost', '127.0.0.1');
  };
  const close = async () => {
    await Promise.all(programs.map(killGroup));
    await source?.destroy();
    await exchange.close();
    await postgres.close();
    await folder.remove();
  };
  try {
    await startOne();
    source = await openDatabase({ url: postgres.url, poolSize: 6, applicationName: 'test' });
  } catch (error) {
    await close();
    throw error;
  }
  const { manager } = source;
  const context = contextOn({ dataSource: source });
  const rows = <T>(sql: string, parameters: readonly unknown[] = []) => manager.query<T[]>(sql, [...parameters]);
  return {
    context,
    exchange,
    postgres,
    /** Where the program that runs now is; undefined while none does. */
    get url() {
      return url;
    },
    /** What all programs wrote to their logs. */
    output: () => programs.map(({ output }) => output()).join('\n'),
    start: startOne,
    /** Kills the program, and returns once nothing of what it had under way in the database is left. */
    kill: async () => {
      url = undefined;
      await Promise.all(programs.map(killGroup));
      const underWay = `SELECT FROM pg_stat_activity WHERE application_name LIKE 'lastro%' AND state <> 'idle'`;
      await until('the statements of the killed programs to end', async () => (await rows(underWay)).length === 0);
      // Its leases are by the clock of the database, which nobody moves.
      await rows(`UPDATE trading.hedges SET due_at = least(due_at, clock_timestamp()) WHERE state = 'OPEN'`);
    },
    /** Lets every transaction stand still before its commit, until it is called off: all of them tell of something. */
    stall: async () => {
      const client = new Client({ connectionString: postgres.directUrl() });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('BEGIN; LOCK TABLE trading.stream_events IN SHARE MODE');
      return () => client.end();
    },
    bank: async () => {
      const trader = await newTrader(context, { fund: fundSynthetic, rateLimit: 1_000_000 });
      const real = await walletOf(trader);
      const synthetic = await walletOf(trader, undefined, true);
      await credit(context, real, { BRL: '50000000', BTC: '100' });
      return { trader, wallets: { real: real.id, synthetic: synthetic.id } };
    },
    rows,
    close,
  };
}
