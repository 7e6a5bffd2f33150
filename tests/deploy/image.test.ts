import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { openStore } from './buildah.js';
import { full, onPath, read, root, skipped, type Tool } from './tools.js';

/** The stages of the Dockerfile, each with its lines and those that continue them. */
const stages = read('deploy/Dockerfile')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split(/^FROM /m)
  .slice(1)
  .map((stage) => stage.split('\n').filter((line) => line.trim() !== ''));
const last = stages.at(-1) ?? [];
const textsOf = (name: string) =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** Returns what `docker build` sends: files that `.dockerignore` does not name. */
function filesOfContext(): string[] {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replaceAll(/[.+^${}()|[\]]/g, '\\$&').replaceAll('*', '[^/]*'))
    .map((line) => new RegExp(`^${line.replaceAll('[^/]*[^/]*/', '(?:.*/)?')}(?:/|$)`));
  const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  return String(all)
    .split('\n')
    .filter((path) => !ignored.some((pattern) => pattern.test(path)));
}

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
    for (const [image] of stages) expect(image).toMatch(/^node:\$\{NODE\}-|^\$\{RUNTIME\}( |$)/);
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
        const folders = run('/usr/local/bin/node', '-p', 'JSON.stringify([".", "node_modules"].map(fs.readdirSync))');
        for (const name of ['main.ts', 'tests', 'jest', 'prettier', 'fast-check', 'typescript'])
          expect((JSON.parse(folders) as string[][]).flat()).not.toContain(name);
      } finally {
        store.remove();
      }
    },
    1_800_000,
  );
});
