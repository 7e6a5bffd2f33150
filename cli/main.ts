import '../bootstrap/registry.js';
import { ConfigError } from '../shared/kernel/config.js';
import { DatabaseNotOpen, unavailability } from '../shared/database/unavailable.js';
import { ApiError } from '../shared/kernel/errors.js';
import { run } from './commands.js';

/** Returns only the message for an error that the operator can act on, and the stack trace for any other. */
function wordsOf(error: unknown, misuse: boolean): string {
  if (!(error instanceof Error)) return String(error);
  if (misuse || error instanceof DatabaseNotOpen || error instanceof ApiError) return error.message;
  const away = unavailability(error);
  return away === undefined ? (error.stack ?? error.message) : `${away.message} (${error.message})`;
}

// `lastro audit export | head` has read enough; what is printed into a full disk is lost, which is said.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`The result cannot be printed: ${message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const misuse = error instanceof ConfigError || (error instanceof TypeError && 'code' in error);
  process.stderr.write(`${wordsOf(error, misuse)}\n`);
  process.exitCode = misuse ? 2 : 1;
}
