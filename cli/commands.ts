import { readOperatorFields } from '../bootstrap/operator-fields.js';
import { call } from './call.js';
import type { Command } from './command.js';
import { describeField, listFields } from './help.js';

/** Commands without a call of the graph, for files, streams and the database itself. Each is loaded when it runs. */
const own: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  import: {
    summary: 'imports operations, estates, prices, payments, credits, index values and criteria from files',
    load: async () => (await import('./import.js')).importCommand,
  },
  export: {
    summary: 'writes everything, or single operations, into files that import reads',
    load: async () => (await import('./export.js')).exportCommand,
  },
  audit: {
    summary: 'exports the audit log',
    load: async () => (await import('./audit.js')).auditCommand,
  },
  'master-key': {
    summary: 'lists encrypted values and their keys, or encrypts all of them with a new key',
    load: async () => (await import('./master-key.js')).masterKeyCommand,
  },
  migrate: {
    summary: 'applies the pending migrations of the database',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  generate: {
    summary: 'makes all committed artefacts anew',
    load: async () => (await import('./generate.js')).generateCommand,
  },
};

/** Runs a command, or a query or mutation by its name; `call <name>` is always the latter: `import` is both. @returns the exit code */
export async function run([name, ...args]: readonly string[]): Promise<number> {
  const [subject, ...more] = args;
  if (name === undefined || name === 'help' || isHelp(name))
    return subject === undefined ? print(await list()) : help(subject, more[0]);
  if (name === 'call' && subject !== undefined && !isHelp(subject))
    return more.some(isHelp) ? help(name, subject) : runCall(subject, more);
  if (args.some(isHelp)) return help(name, subject);
  if (!Object.hasOwn(own, name)) return runCall(name, args);
  return (await own[name]?.load())?.run(args) ?? 2;
}

export async function commandNames(): Promise<string[]> {
  return [...Object.keys(own), ...Object.keys((await readOperatorFields()).fields)];
}

const isHelp = (word: string) => word === '--help' || word === '-h';

async function runCall(name: string, args: readonly string[]): Promise<number> {
  const described = await readOperatorFields();
  const field = Object.hasOwn(described.fields, name) ? described.fields[name] : undefined;
  return field === undefined ? unknown(name) : call(field, described, args);
}

async function help(name: string, subject: string | undefined): Promise<number> {
  if (name !== 'call' && Object.hasOwn(own, name)) return print((await own[name]?.load())?.usage ?? '');
  const described = await readOperatorFields();
  const wanted = name === 'call' && subject !== undefined ? subject : name;
  const field = Object.hasOwn(described.fields, wanted) ? described.fields[wanted] : undefined;
  return field === undefined ? unknown(wanted) : print(describeField(field, described));
}

async function list(): Promise<string> {
  const width = Math.max(...Object.keys(own).map(({ length }) => length));
  const rows = Object.entries(own).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: npm run lastro -- <command> [--<argument> <value>]… [--json]',
    '',
    ...rows,
    ...listFields(await readOperatorFields()),
    '',
    'Help for a command: npm run lastro -- help <command>',
  ].join('\n');
}

async function unknown(name: string): Promise<number> {
  const near = (await commandNames()).filter((one) => one.toLowerCase().includes(name.toLowerCase()));
  const hint =
    near.length === 0 ? '`npm run lastro -- help` lists all commands.' : `These have the word: ${near.join(', ')}.`;
  process.stderr.write(`There is no command "${name}". ${hint}\n`);
  return 2;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
