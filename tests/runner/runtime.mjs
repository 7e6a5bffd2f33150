// Jest's runtime for the tests: Node loads the modules, once for all the test files that a worker runs. The runtime of Jest loads every
// module again for each file, into a context of the file's own, which takes longer than the tests themselves.
import Module, { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { use } from './globals.mjs';
import { jestOf } from './jest.mjs';
import { sourceMaps } from './source-maps.mjs';

const require = createRequire(import.meta.url);

export default class NativeRuntime {
  #config;
  #environment;

  constructor(config, environment) {
    this.#config = config;
    this.#environment = environment;
  }

  /** Loads a part of Jest anew: it keeps the tests of one file in variables of its own. */
  requireInternalModule(path) {
    const loaded = new Module(path);
    loaded.load(path);
    return loaded.exports;
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    use({ ...globals, jest: jestOf(this.#environment, this.#config) });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
