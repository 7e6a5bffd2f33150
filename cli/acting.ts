import { asOperator, type DatabaseUse } from '../bootstrap/operator.js';
import type { Config } from '../shared/kernel/config.js';
import type { Context } from '../shared/kernel/context.js';
import { ApiError } from '../shared/kernel/errors.js';
import { createLog, type Logger } from '../shared/kernel/log.js';

/** Returns the log of a command: on standard error, with warnings by default, since the command prints what it has done. */
export function commandLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return createLog(logLevel === 'info' ? 'warn' : logLevel, process.stderr);
}

/** Runs `work` as the operator of the command's key. Returns the exit code; prints an `ApiError`, such as UNAUTHORIZED for a missing operator key. */
export function withOperator(
  config: Config,
  work: (context: Context) => Promise<number>,
  options: DatabaseUse = {},
): Promise<number> {
  return asOperator(config, commandLog(config), work, options).catch(refused);
}

/** Prints every detail of an `ApiError` and returns the exit code; rethrows any other error. */
export function refused(error: unknown): number {
  if (!(error instanceof ApiError)) throw error;
  const { details = [] } = error.extensions;
  const lines = details.length === 0 ? [error.message] : details.map(({ path, message }) => `${path} ${message}`);
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
