import { ConfigError } from '../shared/config.js';
import { assetCommand } from './asset.js';
import { cnab444Command } from './cnab444.js';
import type { Command } from './command.js';
import { contractCommand } from './contract.js';
import { criteriaCommand } from './criteria.js';
import { developerKeyCommand } from './developer-key.js';
import { generateCommand } from './generate.js';
import { importCommand } from './import.js';
import { migrateCommand } from './migrate.js';
import { originatorCommand } from './originator.js';
import { paymentCommand } from './payment.js';
import { repriceCommand } from './reprice.js';
import { trancheCommand } from './tranche.js';

const commands: readonly Command[] = [
  importCommand,
  trancheCommand,
  paymentCommand,
  assetCommand,
  cnab444Command,
  criteriaCommand,
  contractCommand,
  repriceCommand,
  developerKeyCommand,
  originatorCommand,
  migrateCommand,
  generateCommand,
];

function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: npm run lastro -- <command> [options]',
    '',
    ...rows,
    '',
    'More about one: npm run lastro -- <command> --help',
  ].join('\n');
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const asked = name === undefined || name === '--help' || name === '-h';
    const text = asked ? help() : `There is no command "${name}".\n\n${help()}`;
    (asked ? process.stdout : process.stderr).write(`${text}\n`);
    return asked ? 0 : 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${command.usage}\n`);
    return 0;
  }
  return command.run(args);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const known = error instanceof ConfigError || (error instanceof TypeError && 'code' in error);
  process.stderr.write(
    `${error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)}\n`,
  );
  process.exitCode = known ? 2 : 1;
}
