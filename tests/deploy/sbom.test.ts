import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { read, root } from './tools.js';

const bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), purl: z.string(), hashes: z.array(z.unknown()).optional() }),
  ),
});
const flag = z.boolean().default(false);
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: flag,
      optional: flag,
      /** Needed by development, or by a package that is optional. */
      devOptional: flag,
      link: flag,
    }),
  ),
});

test('the list of components names every package that the program is installed with, and none that is for development', () => {
  const output = execFileSync('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { components } = bill.parse(JSON.parse(output));
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const { packages } = lockfile.parse(JSON.parse(read('package-lock.json')));
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const nameOf = (path: string, version = '') =>
    `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
  const needed = installed
    .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
    .map(([path, { version }]) => nameOf(path, version));
  expect(needed.filter((name) => !named.has(name))).toEqual([]);
  const productive = new Set(
    installed.filter(([, { dev }]) => !dev).map(([path, { version }]) => nameOf(path, version)),
  );
  const others = installed.filter(([, { dev }]) => dev).map(([path, { version }]) => nameOf(path, version));
  expect(others.filter((name) => named.has(name) && !productive.has(name))).toEqual([]);
});
