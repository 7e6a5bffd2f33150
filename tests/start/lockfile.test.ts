import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly integrity?: string; readonly resolved?: string; readonly link?: boolean }>
  >;
}

test.each(['package-lock.json', 'bench/peer/package-lock.json'])(
  'every package of %s is bound to its bytes, and to no download address',
  (file) => {
    const { packages } = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Lockfile;
    // The packages of the repository itself: the root, the workspaces, and the links to them.
    const entries = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    );
    expect(entries.length).toBeGreaterThan(100);
    expect(
      entries.flatMap(([path, { integrity }]) => (integrity?.startsWith('sha512-') === true ? [] : [path])),
    ).toEqual([]);
    expect(entries.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))).toEqual([]);
  },
);
