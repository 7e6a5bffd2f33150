import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { read, root } from './tools.js';

const component = z.object({
  name: z.string(),
  version: z.string(),
  purl: z.string().startsWith('pkg:npm/'),
  licenses: z.array(z.unknown()).min(1),
  hashes: z.array(z.object({ alg: z.literal('SHA-512') })).length(1),
});
const bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.string() }) }),
  components: z.array(component),
});
const flag = z.boolean().default(false);
const versions = z.record(z.string(), z.string());
const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: flag, link: flag })),
});

test('the list of components names what the program is installed with, each with its licence and checksum, and nothing for development', () => {
  const output = execFileSync('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { components, metadata } = bill.parse(JSON.parse(output));
  expect(metadata.component.name).toBe('lastro');
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  expect(named.size).toBe(components.length);

  const { packages } = lockfile.parse(JSON.parse(read('package-lock.json')));
  const atTop = (name: string) => `${name}@${packages[`node_modules/${name}`]?.version ?? ''}`;
  const { dependencies, devDependencies } = z
    .object({ dependencies: versions, devDependencies: versions })
    .parse(JSON.parse(read('package.json')));
  expect(Object.keys(dependencies).filter((name) => !named.has(atTop(name)))).toEqual([]);
  const development = Object.keys(devDependencies).filter((name) => packages[`node_modules/${name}`]?.dev === true);
  expect(development.length).toBeGreaterThan(20);
  expect(development.filter((name) => named.has(atTop(name)))).toEqual([]);
  // A package in several versions counts several times, one in several copies once.
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  expect(components.length).toBe(
    new Set(installed.map(([path, { version }]) => `${path.split('node_modules/').at(-1) ?? ''}@${version ?? ''}`))
      .size,
  );
});
