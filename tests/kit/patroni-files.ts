import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';
import type { Network } from './network.js';
import { nobody, type PatroniTools } from './patroni-tools.js';

export const nodes = ['node1', 'node2', 'node3'] as const;
/** Of every role. */
export const secret = 'segredo-do-teste';

/** Reads a file of deploy/patroni. */
export const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/patroni/${file}`, import.meta.url)), 'utf8');

/** What a cluster stands on. */
export interface Ground {
  readonly tools: PatroniTools;
  readonly folder: string;
  readonly network: Network;
  /** Where HAProxy listens. */
  readonly port: number;
}

/** Fills the addresses of the test into a file of deploy/patroni. */
export function filled({ network }: Ground, text: string): string {
  const subnet = network.addressOf(nodes[0]).replace(/\.\d+$/, '');
  return text.replaceAll(/\b10\.0\.0\.(?=\d)/g, `${subnet}.`);
}

/** Reads a file of variables as it is on one machine. */
export function variablesOf(ground: Ground, file: string, node: string): Record<string, string> {
  const { network } = ground;
  const lines = filled(ground, read(file))
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  const entries = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split('=');
    const text = value.join('=');
    if (name.endsWith('_PASSWORD')) return [name, secret];
    // Lists of all machines stay as they are.
    const own = text.includes(',') ? text : text.replace(network.addressOf(nodes[0]), network.addressOf(node));
    return [name, name === 'PATRONI_NAME' || name === 'ETCD_NAME' ? node : own];
  });
  return Object.fromEntries(entries);
}

/** The folder to which every machine sends its log. */
export const archiveOf = ({ folder }: Ground): string => join(folder, 'archive');

/** Makes the archive of all machines, and puts the script for it where their account can read it. */
export function prepareArchive(ground: Ground): void {
  mkdirSync(archiveOf(ground));
  chownSync(archiveOf(ground), nobody, nobody);
  const script = fileURLToPath(new URL('../../deploy/backup/archive-wal.sh', import.meta.url));
  cpSync(script, join(ground.folder, 'archive-wal.sh'));
}

export function prepare(ground: Ground, node: string): void {
  const own = join(ground.folder, node);
  mkdirSync(own, { mode: 0o700 });
  const file = join(own, 'patroni.yml');
  const config = filled(ground, read('patroni.yml'))
    .replaceAll('/var/lib/postgresql', own)
    .replace(/(?<=bin_dir: ).*/, ground.tools.postgres)
    .replace('/srv/lastro-archive', archiveOf(ground))
    .replace('/opt/lastro/deploy/backup', ground.folder)
    // The socket is beside the data: the folder of the distribution belongs to another account.
    .replace(/(?<=\n {2}pgpass: )/, `${own}/pgpass\n  parameters:\n    unix_socket_directories: `)
    .replace(/(?<=unix_socket_directories: ).*/, own);
  writeFileSync(file, config);
  mkdirSync(join(own, 'lastro'), { mode: 0o700 });
  for (const path of [own, file, join(own, 'lastro')]) chownSync(path, nobody, nobody);
}

/** Has Patroni check its file, which it does against a running etcd. */
export async function validate(ground: Ground, node: string): Promise<void> {
  const file = join(ground.folder, node, 'patroni.yml');
  const env = { ...ground.tools.env, ...variablesOf(ground, 'patroni.env.example', node) };
  const [program = '', ...args] = asNobody(ground, node, [ground.tools.patroni, '--validate-config', file]);
  await until('Patroni to accept deploy/patroni/patroni.yml', () => {
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return true;
  });
}

export function asNobody({ network }: Ground, node: string, command: readonly string[]): string[] {
  return network.within(node, ['-S', String(nobody), '-G', String(nobody), '--', ...command]);
}
