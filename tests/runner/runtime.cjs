// Jest's runtime for the tests: Node itself loads the modules, once for all the test files that a worker runs. The runtime of Jest loads
// every module again for each file, in a context of the file's own, which costs more than the tests themselves.
'use strict';
const Module = require('node:module');
const { pathToFileURL } = require('node:url');
const { jestOf } = require('./jest.cjs');
const held = require('./held.cjs');

class NativeRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  /** Loads a part of Jest anew, because it keeps the tests of a file in variables of its own. */
  requireInternalModule(path) {
    const loaded = new Module(path);
    loaded.load(path);
    return loaded.exports;
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    held.use({ ...globals, jest: jestOf(this.#environment) });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  // Stack traces come from Node with the lines of the sources: it reads the source maps that the loader writes.
  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}

exports.default = NativeRuntime;
