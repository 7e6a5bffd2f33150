import { buildASTSchema, parse, type GraphQLSchema, isScalarType } from 'graphql';
import { LRUCache } from 'lru-cache';
import { nativePlanner, type NativePlanner } from './accelerator/native-plans.js';
import { loadGateway, type LoadedGateway } from './apollo-gateway.js';
import { withConstraintsOf } from './limits/constraints.js';
import { withCostsOf } from './limits/declared-costs.js';
import { internalNames, type NameInternally } from './internal-names.js';
import { createKnownDocuments, type KnownDocuments } from './known-documents.js';
import { DateScalar, DateTimeScalar, DecimalScalar, MonthScalar } from '../../shared/graphql/scalars.js';

/** Parts derived from a supergraph, built once per process and shared by all graphs over it. */
export interface Supergraph {
  readonly gateway: LoadedGateway;
  readonly apiSchema: GraphQLSchema;
  /** The whole schema, with what only the gateway knows. */
  readonly supergraphSchema: GraphQLSchema;
  readonly nameInternally: NameInternally;
  readonly plan: NativePlanner;
  readonly known: KnownDocuments;
}

/** One in the program; tests use several. */
const maxKept = 8;
const kept = new LRUCache<string, Promise<Supergraph>>({ max: maxKept });

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
  const bare = withCommonScalars(gateway.apiSchema);
  const apiSchema = withCostsOf(supergraphSchema, withConstraintsOf(supergraphSchema, bare));
  return {
    gateway,
    apiSchema,
    supergraphSchema,
    nameInternally: internalNames(document),
    plan: nativePlanner(sdl),
    known: createKnownDocuments(),
  };
}

/** Adds the checks of values to scalars that were built from text; else wrong values would fail only in a run, without their place. */
export function withCommonScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, parseValue, parseLiteral } of [DateScalar, DateTimeScalar, DecimalScalar, MonthScalar]) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, { parseValue, parseLiteral });
  }
  return schema;
}
