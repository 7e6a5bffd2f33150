import { createHash } from 'node:crypto';
import { buildASTSchema, parse, print, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Route } from './accelerator/accelerator.js';
import { nativePlanner, type NativePlanner } from './accelerator/native-plans.js';
import { loadGateway, type LoadedGateway } from './apollo-gateway.js';
import { withCommonScalars } from './common-scalars.js';
import { withConstraintsOf } from './constraints.js';
import { withCostsOf } from './declared-costs.js';
import { internalNames, type NameInternally } from './internal-names.js';

/** What is made of a supergraph once, for all graphs over it in this process. */
export interface Supergraph {
  readonly gateway: LoadedGateway;
  /** The graph's schema as callers see it, with the constraints and costs that subgraphs declare. */
  readonly apiSchema: GraphQLSchema;
  /** The whole schema, with what only the gateway knows. */
  readonly supergraphSchema: GraphQLSchema;
  readonly nameInternally: NameInternally;
  readonly plan: NativePlanner;
  readonly routes: Routes;
}

/** Routes of the accelerator by document, within a limit of memory. */
export interface Routes {
  of(document: DocumentNode, find: () => Route): Route;
}

/** One in the program; tests use several. */
const maxKept = 8;
const kept = new LRUCache<string, Promise<Supergraph>>({ max: maxKept });

/** Loads a supergraph, or returns the one that this process has loaded. */
export async function loadSupergraph(sdl: string): Promise<Supergraph> {
  const known = kept.get(sdl);
  if (known !== undefined) return known;
  const loading = load(sdl);
  kept.set(sdl, loading);
  loading.catch(() => kept.delete(sdl));
  return loading;
}

async function load(sdl: string): Promise<Supergraph> {
  const gateway = await loadGateway(sdl);
  const document = parse(sdl, { noLocation: true });
  const supergraphSchema = buildASTSchema(document, { assumeValidSDL: true, assumeValid: true });
  const apiSchema = withCommonScalars(gateway.apiSchema);
  return {
    gateway,
    apiSchema: withCostsOf(supergraphSchema, withConstraintsOf(supergraphSchema, apiSchema)),
    supergraphSchema,
    nameInternally: internalNames(document),
    plan: nativePlanner(sdl),
    routes: createRoutes(),
  };
}

/** Characters of JSON of all routes that are kept. */
const keptCharacters = 4_194_304;

function createRoutes(): Routes {
  const routes = new LRUCache<string, string>({
    maxSize: keptCharacters,
    sizeCalculation: (json) => json.length + 100,
  });
  return {
    of: (document, find) => {
      const key = createHash('sha256').update(print(document)).digest('base64url');
      const known = routes.get(key);
      if (known !== undefined) return JSON.parse(known) as Route;
      const route = find();
      routes.set(key, JSON.stringify(route));
      return route;
    },
  };
}
