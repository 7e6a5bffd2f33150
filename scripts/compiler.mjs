// How esbuild compiles the TypeScript of the house, in the build and in tests.
export const compiler = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  logLevel: 'silent',
};

/** Returns the options for one file, by its path or address. */
export const transformed = (path) => ({ ...compiler, sourcefile: path, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' });

/** Returns an error message for each error of the sources. */
export const messagesOf = ({ errors = [], message }, what) =>
  errors.length === 0
    ? [`${what}: ${message}`]
    : errors.map(({ text, location }) => `${location?.file ?? what}:${location?.line ?? 0}: ${text}`);
