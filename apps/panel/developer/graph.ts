import { graphOf } from '../frame/graph.js';
import { hashes, type Operations } from './graph/operations.js';

export type { Operations };
export const graph = graphOf<Operations>(hashes);
