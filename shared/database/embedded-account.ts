import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

/** The account that runs PostgreSQL: another user when this process is root (PostgreSQL refuses root), otherwise this process' own. */
export interface Account {
  /** Spread into the options of `spawn` and passed to `chown`; undefined when PostgreSQL runs as this process' own user. */
  readonly switchTo: { readonly uid: number; readonly gid: number } | undefined;
}

const nobody = { uid: 65534, gid: 65534 };

/** Under root the owner of the existing cluster, or else `nobody` (initdb needs one of `/etc/passwd`). @throws Error when this process cannot switch to it */
export async function accountFor(cluster: string): Promise<Account> {
  const existing = await stat(cluster).catch(() => undefined);
  const self = process.getuid?.();
  if (self !== 0) {
    if (existing !== undefined && self !== undefined && existing.uid !== self)
      throw new Error(
        `The database folder ${cluster} belongs to user id ${existing.uid} and this process runs as ${self}. ` +
          'Start it as that user or as root, or with another DATA_DIR.',
      );
    return { switchTo: undefined };
  }
  if (existing !== undefined && existing.uid !== 0) return { switchTo: { uid: existing.uid, gid: existing.gid } };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? [];
  return { switchTo: uid === undefined || gid === undefined ? nobody : { uid: Number(uid), gid: Number(gid) } };
}

export function pathOfWorkingFolder(account: Account, folder: string): string {
  // Parents that only root may enter (a project under /root) do not matter: the process enters the folder before it gives up root, and this link leads
  // there without traversing the path. PostgreSQL itself changes only into its data folder.
  return account.switchTo !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/** The environment of every PostgreSQL program: none of the caller's PG* or locale settings, nor its library path. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program of PostgreSQL to completion as the account. @returns its output @throws Error with its messages when it fails */
export function runAs(
  account: Account,
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly stdin?: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: environment,
      ...account.switchTo,
      stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${signal ?? `code ${String(code)}`}: ${errors.trim()}`));
    });
  });
}
