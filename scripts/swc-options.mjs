// How @swc/core compiles a file: `.swcrc` as it is, and for `.tsx` with the elements of TSX, which .swcrc cannot say of some files alone.
import { readFileSync } from 'node:fs';

export const settings = JSON.parse(readFileSync(new URL('../.swcrc', import.meta.url), 'utf8'));
const { jsc } = settings;

export const tsxSettings = {
  ...settings,
  jsc: {
    ...jsc,
    parser: { ...jsc.parser, tsx: true },
    // The production runtime, whatever NODE_ENV is: elements need no source positions.
    transform: { ...jsc.transform, react: { runtime: 'automatic', development: false } },
  },
};

/** Returns the options for a path; no other configuration is read. */
export function swcOptions(path) {
  return { ...(path.endsWith('.tsx') ? tsxSettings : settings), configFile: false, swcrc: false };
}
