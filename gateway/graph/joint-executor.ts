import { Kind, OperationTypeNode, visit, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { rootNames } from '../../shared/graphql/root-names.js';
import { coerceInTurns, type Variables } from '../../shared/graphql/variables.js';
import type { SubgraphDataSources } from './data-source.js';
import type { InternalNames } from './internal-names.js';
import type { OperationExecutor, Prepared } from './operation.js';
import { mapResults } from './streams.js';

interface JointParts {
  readonly apiSchema: GraphQLSchema;
  readonly sources: SubgraphDataSources;
}

export function jointExecutor(
  { document, operation }: Prepared,
  { document: named, internalVariables, callerResult }: InternalNames,
  executor: OperationExecutor,
  { apiSchema, sources }: JointParts,
): OperationExecutor {
  const conditions = conditionsOf(document);
  const severalWrite = operation.operation === OperationTypeNode.MUTATION && writersOf(document, sources).size > 1;
  const coerced = async (given: Variables): Promise<Variables> => {
    const variables = await coerceInTurns(apiSchema, operation, given);
    requireBooleans(conditions, variables);
    return internalVariables(variables);
  };
  const restored = (results: GraphResultStream | GraphResult, context: Context) => {
    if (!('next' in results)) return callerResult(results);
    return named === document ? results : mapResults(results, (one) => Promise.resolve(callerResult(one)), context);
  };
  return {
    run: async (given, context) => {
      if (severalWrite && context.idempotency !== undefined) {
        const message = 'An idempotency key is for one operation: send each of these mutations in a request of its own';
        throw new ApiError('BAD_REQUEST', { message });
      }
      return callerResult(await executor.run(await coerced(given), context));
    },
    subscribe: async (given, context) => restored(await executor.subscribe(await coerced(given), context), context),
  };
}

function writersOf(document: DocumentNode, sources: SubgraphDataSources): ReadonlySet<string | undefined> {
  const owns = ([, { schema }]: (typeof all)[number], name: string) =>
    schema.getMutationType()?.getFields()[name] !== undefined;
  const all = Object.entries(sources);
  return new Set(rootNames(document).map((name) => all.find((source) => owns(source, name))?.[0]));
}

function conditionsOf(document: DocumentNode): ReadonlySet<string> {
  const conditions = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  return conditions;
}

/** Requires a boolean for each variable of a condition: one with a default may be null, which decides nothing. */
function requireBooleans(conditions: ReadonlySet<string>, variables: Variables): void {
  for (const name of conditions) {
    if (typeof variables[name] === 'boolean') continue;
    const message = 'A value of type Boolean! is required';
    throw new ApiError('BAD_REQUEST', { message: `${name}: ${message}`, details: [{ path: name, message }] });
  }
}
