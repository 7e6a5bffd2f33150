// Jest's compiler of the house, given the instrumented copy of a file where there is one.
import { readFileSync } from 'node:fs';
import swc from '@swc/jest';

const swcTransformer = swc.createTransformer();
const copies = new Map(
  Object.entries(JSON.parse(readFileSync(`${process.env.MUTANTS_SCRATCH}/map.json`, 'utf8'))).map(([name, copy]) => [
    name,
    readFileSync(copy, 'utf8'),
  ]),
);
const sourceOf = (text, path) => copies.get(path) ?? text;

export default {
  canInstrument: false,
  getCacheKey: (text, path, options) => swcTransformer.getCacheKey(sourceOf(text, path), path, options),
  process: (text, path, options) => swcTransformer.process(sourceOf(text, path), path, options),
  processAsync: (text, path, options) => swcTransformer.processAsync(sourceOf(text, path), path, options),
};
