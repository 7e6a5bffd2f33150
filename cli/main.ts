import { ConfigError } from '../shared/config.js';
import { DatabaseNotOpen, unavailability } from '../shared/database/unavailable.js';
import { ApiError } from '../shared/errors.js';
import { commands } from './commands.js';

function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: npm run lastro -- <command> [options]',
    '',
    ...rows,
    '',
    'Help for a command: npm run lastro -- <command> --help',
  ].join('\n');
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  const listed = commands.find((candidate) => candidate.name === name);
  if (listed === undefined) {
    const asked = name === undefined || name === '--help' || name === '-h';
    const text = asked ? help() : `There is no command "${name}".\n\n${help()}`;
    (asked ? process.stdout : process.stderr).write(`${text}\n`);
    return asked ? 0 : 2;
  }
  const command = await listed.load();
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${command.usage}\n`);
    return 0;
  }
  return command.run(args);
}

/** Returns the message alone for an error that the operator can act on, and the stack trace for any other. */
function wordsOf(error: unknown, misuse: boolean): string {
  if (!(error instanceof Error)) return String(error);
  if (misuse || error instanceof DatabaseNotOpen || error instanceof ApiError) return error.message;
  const away = unavailability(error);
  return away === undefined ? (error.stack ?? error.message) : `${away.message} (${error.message})`;
}

// `lastro audit list | head` has read enough; what is printed into a full disk is lost, which is said.
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
