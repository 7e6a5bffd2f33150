import { readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../shared/config.js';
import { system, type Context } from '../shared/context.js';
import { urlOf } from '../shared/database/url-of.js';
import { ApiError } from '../shared/errors.js';
import { createOperatorAuthenticator } from '../subgraphs/accounts/operators/authenticate-operator.js';
import { readOperatorStanding } from '../subgraphs/accounts/operators/operator.store.js';
import { openAccountsPool } from '../subgraphs/accounts/pool.js';

export interface IdentifyOptions {
  /** Whether the command needs no key while no operator can administer: the one that adds the first operator. */
  readonly bootstraps?: boolean;
}

/**
 * Returns the context of a command. Its caller is the operator of `LASTRO_OPERATOR_KEY` or, in development without that key, the demo's operator.
 * Before any operator exists the caller is the program itself: whoever can reach the database could write to it anyway.
 * @throws {ApiError} UNAUTHORIZED where there are operators and the command has no key of one
 */
export async function identifyOperator(
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
    const operators = createOperatorAuthenticator({ pool, clock, log, audit }, { maxAgeMs: 1, maxEntries: 1 });
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
