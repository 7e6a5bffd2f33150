import { readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { getOperationAST, parse } from 'graphql';
import { z } from 'zod';
import { openAuditTrail } from '../shared/security/audit/trail.js';
import { createLocalBus, type Bus } from '../shared/events/bus.js';
import type { Config } from '../shared/kernel/config.js';
import { createContext, type Context, system } from '../shared/kernel/context.js';
import { openDatabaseClock } from '../shared/database/clock.js';
import { openDatabase, type Database, type DatabaseOptions } from '../shared/database/database.js';
import { openStore, prepareDatabase, requireDatabase, requireMigrated } from '../shared/database/store.js';
import { ApiError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/log.js';
import { openKeyRing } from '../shared/security/master-key.js';
import type { GraphResult } from '../shared/graphql/executor.js';
import type { Variables } from '../shared/graphql/variables.js';
import { createOperatorAuthenticator } from '../subgraphs/accounts/operators/authenticate-operator.js';
import { readOperatorStanding } from '../subgraphs/accounts/operators/operator.store.js';
import { openAccountsPool } from '../subgraphs/accounts/pool.js';
import { accountsEntities } from '../subgraphs/accounts/rows.js';
import { closeAll } from './close-all.js';
import { migrations } from './migrations.js';
import type { Manager } from '../shared/database/manager.js';

export interface DatabaseUse extends Pick<DatabaseOptions, 'entities'> {
  /** False refuses to work while a program runs on the data folder. */
  readonly beside?: boolean;
  readonly create?: boolean;
}

/** Gives `work` the migrated database: of `DATABASE_URL`, of a running `npm start`, or of `DATA_DIR`, whose server then runs for the work only. */
export async function withDatabase<T>(
  config: Config,
  log: Logger,
  work: (dataSource: Database, url: string) => Promise<T>,
  { beside = true, create = false, entities = [] }: DatabaseUse = {},
): Promise<T> {
  if (!create) requireDatabase(config);
  const store = await openStore(config, log, { beside });
  const closers: (() => Promise<unknown>)[] = [() => store.stop()];
  try {
    const dataSource = await openDatabase({
      url: store.url,
      poolSize: 4,
      entities,
      statementTimeoutMs: config.database.statementTimeoutMs,
      applicationName: 'lastro-cli',
    });
    closers.unshift(() => dataSource.destroy());
    if (!create) await requireMigrated(dataSource, migrations);
    await prepareDatabase(dataSource, store.ownerUrl, migrations);
    return await work(dataSource, store.url);
  } finally {
    await closeAll(closers);
  }
}

export type RunOperation = (document: string, variables: Variables) => Promise<GraphResult>;

/** Runs `work` as the operator of the command's key, with or without a running server. @throws {ApiError} UNAUTHORIZED without a key of one */
export function asOperator<T>(
  config: Config,
  log: Logger,
  work: (context: Context, dataSource: Database, url: string) => Promise<T>,
  options: IdentifyOptions & DatabaseUse = {},
): Promise<T> {
  const act = async (dataSource: Database, url: string) => {
    const bus = await openBus(config, log);
    const closers: (() => Promise<unknown>)[] = [() => bus.close()];
    try {
      const clock = await openDatabaseClock(dataSource, log);
      closers.unshift(() => {
        clock.close();
        return Promise.resolve();
      });
      const audit = openAuditTrail(url, log);
      closers.unshift(() => audit.close());
      const context = createContext({ clock, log, manager: dataSource.manager, bus, audit });
      return await work(await identifyOperator(context, config, options), dataSource, url);
    } finally {
      await closeAll(closers);
    }
  };
  return withDatabase(config, log, act, options);
}

async function openBus({ redisUrl }: Config, log: Logger): Promise<Bus> {
  if (redisUrl === undefined) return createLocalBus();
  return (await import('../shared/events/bus-redis.js')).createRedisBus(redisUrl, log);
}

/** Gives `work` a way to run operations of one domain as the operator: see `asOperator`. */
export function onSubgraph<T>(
  config: Config,
  log: Logger,
  name: string,
  work: (run: RunOperation) => Promise<T>,
  options: IdentifyOptions = {},
): Promise<T> {
  const act = async (context: Context, dataSource: Database, databaseUrl: string) => {
    const { subgraphs } = await import('./one-subgraph.js');
    const { createExecutor } = await import('../shared/graphql/execute.js');
    const { constraintCheck, withConstraintsOf } = await import('../gateway/graph/limits/constraints.js');
    const { failure } = await import('../shared/graphql/mask.js');
    const keyRing = openKeyRing(config);
    const { clock, audit } = context;
    const open = subgraphs[name];
    if (open === undefined) throw new Error(`There is no subgraph ${name}`);
    const { schema, close } = await open({
      config,
      keyRing,
      clock,
      log,
      dataSource,
      databaseUrl,
      ...(audit && { audit }),
    });
    try {
      const executor = createExecutor(schema, keyRing);
      const constrained = withConstraintsOf(schema, schema);
      return await work(async (text, variables) => {
        const document = parse(text);
        const operation = getOperationAST(document);
        if (operation == null) throw new Error('A document to run must have exactly one operation');
        try {
          await constraintCheck(constrained, { document, operation })(variables);
        } catch (error) {
          return failure(error, context);
        }
        return executor.execute({ document, variables }, { ...context, loaders: new Map() });
      });
    } finally {
      await close?.();
    }
  };
  return asOperator(config, log, act, { ...options, entities: accountsEntities });
}

interface IdentifyOptions {
  /** Whether the command needs no key while no operator can administer: the one that adds the first operator. */
  readonly bootstraps?: boolean;
}

/** The operator of `LASTRO_OPERATOR_KEY`, or the demo's; before any exists the program itself. @throws {ApiError} UNAUTHORIZED with operators and without a key */
async function identifyOperator(
  given: Context,
  config: Pick<Config, 'operatorKey' | 'production' | 'dataDir'>,
  { bootstraps = false }: IdentifyOptions = {},
): Promise<Context> {
  const context: Context = { ...given, ip: commandSource(), principal: system, isCommand: true };
  const standing = await readOperatorStanding(context);
  if (config.operatorKey !== undefined) return { ...context, principal: await ownerOf(context, config.operatorKey) };
  if (!standing.any || (bootstraps && !standing.administered)) return context;
  const demoKey = config.production ? undefined : await readDemoKey(config.dataDir);
  if (demoKey !== undefined) return { ...context, principal: await ownerOf(context, demoKey) };
  throw new ApiError('UNAUTHORIZED', {
    message: 'Set LASTRO_OPERATOR_KEY to the key of an operator: commands require one as soon as there are operators',
  });
}

async function ownerOf(context: Context, key: string): Promise<Context['principal']> {
  const { clock, log, audit, ip, requestId } = context;
  const pool = openAccountsPool(urlOf(context.manager), log);
  try {
    const operators = createOperatorAuthenticator({ pool, clock, log, audit }, { keptMs: 1, maxEntries: 1 });
    const principal = await operators.authenticate(key, { ip, requestId });
    if (principal !== undefined) return principal;
    throw new ApiError('UNAUTHORIZED', {
      message: 'LASTRO_OPERATOR_KEY is not the key of an operator, or it has expired or was revoked',
    });
  } finally {
    // The login is in the audit log before anything that the operator then does.
    await audit?.flush();
    await pool.end();
  }
}

const demoForm = z.object({ operatorKey: z.string() });

async function readDemoKey(dataDir: string): Promise<string | undefined> {
  try {
    return demoForm.safeParse(JSON.parse(await readFile(join(dataDir, 'demo-credentials.json'), 'utf8'))).data
      ?.operatorKey;
  } catch {
    return undefined;
  }
}

/** Returns the source of a command for the audit log: the user and the machine, as the operating system names them. */
function commandSource(): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    // A container may run as a user without a name.
    user = String(process.getuid?.() ?? 'unknown');
  }
  return `cli:${user}@${hostname()}`.slice(0, 200);
}

function urlOf({ dataSource: { options } }: Manager): string {
  if (options.type === 'postgres' && options.url !== undefined) return options.url;
  throw new Error('The data source has no address');
}
