import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onPath, root } from './tools.js';

/** What an image of Debian gives to a build by npm, as far as this Dockerfile needs it. */
const buildPrograms = ['sh', 'rm', 'env', 'uname', 'cat'];
/** Libraries of glibc that node opens only when it needs them, or that native modules ask for. */
const glibc = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2', 'librt.so.1', 'libutil.so.1'];
const limits = { encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 } as const;

export interface Store {
  /** Runs buildah. @returns its output */
  run(...args: readonly string[]): string;
  /** Builds deploy/Dockerfile. @returns the name of the image */
  build(): string;
  remove(): void;
}

/**
 * Opens a store with the two images that deploy/Dockerfile begins from. No registry is asked: they are made of this machine's node, npm and libraries. The one
 * that the program runs on has node and its libraries and nothing else: no shell.
 */
export function openStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-buildah-'));
  const run: Store['run'] = (...args) => {
    const places = ['--root', join(folder, 'root'), '--runroot', join(folder, 'runroot'), '--storage-driver', 'vfs'];
    return execFileSync('buildah', [...places, ...args], limits);
  };
  const node = realpathSync(process.execPath);
  const runtime = join(folder, 'runtime');
  put(runtime, node, '/usr/local/bin/node');
  const beside = dirname(
    librariesOf(node).find((path) => path.includes('libc.so')) ?? '/lib/x86_64-linux-gnu/libc.so.6',
  );
  for (const library of [...librariesOf(node), ...glibc.map((name) => join(beside, name))]) put(runtime, library);
  const runtimeImage = commit(run, runtime, 'localhost/runtime:1');

  const base = join(folder, 'base');
  cpSync(runtime, base, { recursive: true, verbatimSymlinks: true });
  for (const program of buildPrograms) {
    const path = realpathSync(onPath(program) ?? program);
    put(base, path, `/bin/${program}`);
    for (const library of librariesOf(path)) put(base, library);
  }
  const npm = dirname(dirname(realpathSync(onPath('npm') ?? 'npm')));
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  // npm's scripts are found by it.
  put(base, join(base, 'bin/env'), '/usr/bin/env');
  commit(run, base, 'docker.io/library/node:24-bookworm-slim');

  return {
    run,
    build: () => {
      // Where npm finds its registry on this machine, and whom it trusts.
      const settings = [join(homedir(), '.npmrc'), '/etc/ssl/certs'].filter(existsSync);
      const volumes = settings.flatMap((path) => ['--volume', `${path}:${path.replace(homedir(), '/root')}:ro`]);
      const options = ['--isolation', 'chroot', '--pull-never', ...volumes, '--build-arg', `RUNTIME=${runtimeImage}`];
      run(
        'build-using-dockerfile',
        ...options,
        '-f',
        join(root, 'deploy/Dockerfile'),
        '-t',
        'localhost/lastro:1',
        root,
      );
      return 'localhost/lastro:1';
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function put(folder: string, path: string, as = path): void {
  mkdirSync(dirname(join(folder, as)), { recursive: true });
  cpSync(path, join(folder, as), { dereference: true });
}

function librariesOf(program: string): string[] {
  return [...new Set(execFileSync('ldd', [program], limits).match(/\/lib\S*/g) ?? [])];
}

function commit(run: Store['run'], folder: string, name: string): string {
  const container = run('from', 'scratch').trim();
  run('add', container, folder, '/');
  const trusted = process.env['NODE_EXTRA_CA_CERTS'];
  const variables = [
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'HOME=/root',
    ...(trusted === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${trusted}`]),
  ];
  run('config', ...variables.flatMap((one) => ['--env', one]), container);
  run('commit', '--rm', container, name);
  return name;
}
