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
  /** Whether the command needs no key where no operator can administer: adding the first one. */
  readonly bootstraps?: boolean;
}

/**
 * The context of a command: its caller is the operator of `LASTRO_OPERATOR_KEY`; in development, where there is none, the demo's.
 * Before there is any operator it is the program itself: whoever can reach the database could as well write to it.
 * @throws {ApiError} UNAUTHORIZED where there are operators and the command has no key of one
 */
export async function identifyOperator(
  given: Context,
  config: Pick<Config, 'operatorKey' | 'production' | 'dataDir'>,
  { bootstraps = false }: IdentifyOptions = {},
): Promise<Context> {
  const context = { ...given, ip: commandSource(), principal: system };
  const standing = await readOperatorStanding(context);
  if (config.operatorKey !== undefined) return { ...context, principal: await ownerOf(context, config.operatorKey) };
  if (!standing.any || (bootstraps && !standing.administered)) return context;
  const demoKey = config.production ? undefined : await readDemoKey(config.dataDir);
  if (demoKey !== undefined) return { ...context, principal: await ownerOf(context, demoKey) };
  throw new ApiError('UNAUTHORIZED', {
    message: 'Set LASTRO_OPERATOR_KEY to the key of an operator: commands say who runs them since there are operators',
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
      message: 'LASTRO_OPERATOR_KEY is no key of an operator, or it expired or was revoked',
    });
  } finally {
    // The login stands in the log before what the operator then does.
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

/** Who runs the command where, as the machine says. */
function commandSource(): string {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    user = String(process.getuid?.() ?? 'unknown');
  }
  return `cli:${user}@${hostname()}`.slice(0, 200);
}
