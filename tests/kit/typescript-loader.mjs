// Lets plain Node import the house's TypeScript: `./x.js` finds `x.ts`, and esbuild compiles it as everywhere else.
// In tests `@jest/globals` and `fast-check` are the ones of the repository, and `@lastro/sdk` needs no build.
import { transform } from 'esbuild';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { transformed } from '../../scripts/compiler.mjs';

const replaced = {
  '@jest/globals': new URL('../runner/globals.mjs', import.meta.url).href,
  'fast-check': new URL('./fast-check.mjs', import.meta.url).href,
  '@lastro/sdk': new URL('../../clients/typescript/src/index.ts', import.meta.url).href,
};

export async function resolve(specifier, context, next) {
  if (Object.hasOwn(replaced, specifier)) return { url: replaced[specifier], format: 'module', shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && !context.parentURL?.includes('/node_modules/')) {
    for (const extension of ['.ts', '.tsx']) {
      const source = new URL(specifier.replace(/\.js$/, extension), context.parentURL);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url) || url.includes('/node_modules/')) return next(url, context);
  const { code } = await transform(await readFile(new URL(url)), { ...transformed(url), sourcemap: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
