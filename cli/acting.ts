import { identifyOperator, type IdentifyOptions } from '../bootstrap/identify-operator.js';
import { openAuditTrail } from '../shared/audit/trail.js';
import { createLocalBus } from '../shared/bus.js';
import { systemClock } from '../shared/clock.js';
import type { Config } from '../shared/config.js';
import { createContext, type Context } from '../shared/context.js';
import type { Database } from '../shared/database/database.js';
import { urlOf } from '../shared/database/url-of.js';
import { ApiError } from '../shared/errors.js';
import { createLog } from '../shared/log.js';
import { withDatabase } from './database.js';
import { lineOfDetail } from './line-of-detail.js';

/**
 * Gives `work` the context of the operator whose key the command has, with the database alone: for commands that need no graph.
 * @throws {ApiError} UNAUTHORIZED where there are operators and the command has no key of one
 */
export async function withOperator<T>(
  config: Config,
  work: (context: Context) => Promise<T>,
  options: IdentifyOptions & { readonly beside?: boolean } = {},
): Promise<T> {
  const act = async ({ manager }: Database) => {
    const log = createLog(config.logLevel, process.stderr);
    const audit = openAuditTrail(urlOf(manager), log);
    try {
      const context = createContext({ clock: systemClock, log, manager, bus: createLocalBus(), audit });
      return await work(await identifyOperator(context, config, options));
    } finally {
      await audit.close();
    }
  };
  return withDatabase(config, act, { beside: options.beside ?? true });
}

/** Runs a command and prints the sentence that it returns, or every error on standard error. Returns the exit code. */
export async function saying(work: () => Promise<string>): Promise<number> {
  try {
    process.stdout.write(`${await work()}\n`);
    return 0;
  } catch (error) {
    return refused(error);
  }
}

/** Prints every detail of an `ApiError` and returns the exit code; rethrows any other error. */
export function refused(error: unknown): number {
  if (!(error instanceof ApiError)) throw error;
  const { details = [] } = error.extensions;
  const lines = details.length === 0 ? [error.message] : details.map((detail) => lineOfDetail(detail));
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
