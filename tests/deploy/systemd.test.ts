import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownVariables, onPath, read, root, skipped, type Tool } from './tools.js';

const analyze = onPath('systemd-analyze');
const tool: Tool = analyze === undefined ? { missing: 'no systemd-analyze on the PATH' } : { path: analyze };
const checked = skipped('the systemd units', tool) ? test.skip : test;
const files = readdirSync(new URL('../../deploy/systemd', import.meta.url)).filter((name) => !name.endsWith('.md'));
/** The units as they are started: the template with some of its names. */
const units = ['lastro@all.service', 'lastro@gateway.service', 'lastro@worker.service'];
/** What `systemd-analyze` gives 10 for a service without any restriction, and this times ten. */
const mostExposure = 20;

describe('the systemd units', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lastro-units-'));
    for (const name of files) {
      // The programs of this machine are elsewhere.
      const text = read(`deploy/systemd/${name}`)
        .replace('/usr/bin/node', process.execPath)
        .replace('/opt/lastro/deploy', join(root, 'deploy'));
      writeFileSync(join(folder, name), text);
      if (name === 'lastro@.service') for (const unit of units) writeFileSync(join(folder, unit), text);
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  checked('are valid', () => {
    for (const unit of [...units, ...files.filter((name) => !name.includes('@'))]) {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, unit)], {
        encoding: 'utf8',
      });
      const ours = stderr.split('\n').filter((line) => line.includes('lastro'));
      expect({ unit, status, ours }).toEqual({ unit, status: 0, ours: [] });
    }
  });

  checked('leave a process that is taken over little that it could do', () => {
    for (const unit of ['lastro@gateway.service', 'lastro-migrate.service', 'lastro-backup.service']) {
      const report = execFileSync(
        'systemd-analyze',
        ['security', '--offline=true', '--no-pager', `--threshold=${mostExposure}`, join(folder, unit)],
        { encoding: 'utf8' },
      );
      expect(report).toContain('Overall exposure level');
    }
  });

  test('set no variable that the program does not know', () => {
    const known = knownVariables();
    const set = files.flatMap((name) =>
      [...read(`deploy/systemd/${name}`).matchAll(/^Environment=(.*)$/gm)].map(([, text = '']) => text),
    );
    const names = set.flatMap((text) => text.split(' ').map((word) => word.split('=')[0] ?? ''));
    expect(names.filter((name) => !known.has(name) && !['NODE_OPTIONS', 'PATH'].includes(name))).toEqual([]);
  });

  test('keep the password of the schemas’ owner to the migrations', () => {
    expect(read('deploy/systemd/lastro@.service')).not.toContain('migrate.env');
    expect(read('deploy/systemd/lastro-migrate.service')).toContain('EnvironmentFile=/etc/lastro/migrate.env');
  });

  test('do not take the shared memory of PostgreSQL with a unit that runs as its user', () => {
    for (const name of files) {
      const text = read(`deploy/systemd/${name}`);
      if (/^User=postgres$/m.test(text)) expect(text).not.toMatch(/^RemoveIPC=yes$/m);
    }
  });
});
