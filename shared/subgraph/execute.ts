import {
  createSourceEventStream,
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { asyncIterator, finished } from '../async-iterator.js';
import { isRecord } from '../is-record.js';
import { placed, placedAs } from '../stream-place.js';
import type { Context } from '../context.js';
import type { KeyRing } from '../crypto.js';
import { declaredAccess, demand, demandProof, type Declared } from './access.js';
import { createCompiler, type Runner } from './compile.js';
import type { GraphResult, GraphResultStream, Executor } from './executor.js';
import { once } from './idempotency.js';
import { onceInSteps, runsInSteps } from './in-steps.js';
import { failure, masked } from './mask.js';
import { readsPublished } from './published.js';
import { rootNames } from './root-names.js';
import { coerceInTurns, coerceVariables, type Variables } from './variables.js';

interface Plan {
  readonly operation: OperationDefinitionNode;
  /** Whether it reads nothing but published data, which a replica may show. */
  readonly readsPublished: boolean;
  /** The access that its mutations declare. */
  readonly mutations: readonly Declared[];
  run: Runner;
  runs: number;
}

/** Creates an executor that compiles a document before its second run: compiling costs more than a single run. */
export function createExecutor(schema: GraphQLSchema, keyRing: KeyRing): Executor {
  const compiler = createCompiler(schema);
  const plans = new WeakMap<DocumentNode, Plan>();

  const planFor = (document: DocumentNode): Plan => {
    const plan = plans.get(document) ?? {
      operation: operationOf(document),
      readsPublished: readsPublished(schema, document),
      mutations: mutationsOf(schema, document),
      run: compiler.interpret(document),
      runs: 0,
    };
    if (plan.runs === 0) plans.set(document, plan);
    plan.runs += 1;
    if (plan.runs === 2) plan.run = compiler.compile(document) ?? plan.run;
    return plan;
  };

  const run = async (plan: Plan, coerced: Variables, context: Context, root?: unknown): Promise<GraphResult> => {
    const { data = null, errors } = await plan.run(root, context, coerced);
    return errors === undefined ? { data } : { data, errors: errors.map((error) => masked(error, context)) };
  };

  return {
    execute: ({ document, variables = {} }, context) =>
      answered(context, async () => {
        const plan = planFor(document);
        const { idempotency } = context;
        const work = async (tx: Context) => {
          const coerced = coerceInTurns(schema, plan.operation, variables);
          return run(plan, coerced instanceof Promise ? await coerced : coerced, tx);
        };
        if (idempotency === undefined || plan.operation.operation !== OperationTypeNode.MUTATION)
          return work(plan.readsPublished ? (context.published?.contextFor(context) ?? context) : context);
        // Refused before it does anything: such a caller may neither store a response nor read the one of a better credential.
        if (!plan.mutations.some((declared) => isAdmitted(declared, context))) return work(context);
        // All or none of several: what ran beside a mutation that waits for a proof would be stored with its refusal.
        if (plan.mutations.length > 1) for (const declared of plan.mutations) demandProof(declared, context);
        const guard = runsInSteps(schema, document) ? onceInSteps : once;
        return guard(context, idempotency, keyRing, (tx) => answered(tx, () => work(tx)));
      }),
    subscribe: ({ document, variables = {} }, context) =>
      answered(context, async () => {
        const plan = planFor(document);
        const coerced = coerceVariables(schema, plan.operation, variables);
        const source = await createSourceEventStream({
          schema: compiler.schema,
          document: compiler.plain(document),
          contextValue: context,
          variableValues: coerced,
        });
        if (!(Symbol.asyncIterator in source)) {
          return { errors: (source.errors ?? []).map((error) => masked(error, context)) };
        }
        // A loader caches what it loaded; each event must see the state of its own moment.
        return answers(source, (event) => run(plan, coerced, { ...context, loaders: new Map() }, event), context);
      }),
  };
}

function mutationsOf(schema: GraphQLSchema, document: DocumentNode): Declared[] {
  if (operationOf(document).operation !== OperationTypeNode.MUTATION) return [];
  const fields = schema.getMutationType()?.getFields() ?? {};
  return rootNames(document).flatMap((name) => declaredAccess(fields[name]?.extensions ?? {}) ?? []);
}

function isAdmitted(declared: Declared, context: Context): boolean {
  try {
    demand(declared, context);
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` and turns a thrown error into a result. */
async function answered<T>(context: Context, work: () => Promise<T>): Promise<T | GraphResult> {
  try {
    return await work();
  } catch (error) {
    return failure(error, context);
  }
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('A document to execute must have exactly one operation');
  return operation;
}

/**
 * Maps each event to a result, whose cursor is that of the event. A source that fails ends the stream with a result that reports the error. `return`
 * reaches the source at once, even while a reader waits for the next event.
 */
function answers(
  source: AsyncIterable<unknown>,
  response: (event: unknown) => Promise<GraphResult>,
  context: Context,
): GraphResultStream {
  const events = source[Symbol.asyncIterator]();
  let ended = false;
  const end = async () => {
    ended = true;
    await events.return?.();
  };
  const next = async () => {
    if (ended) return finished;
    try {
      const event = await events.next();
      if (event.done === true) return finished;
      return {
        done: false,
        value: placed(await response(event.value), { cursor: () => cursorIn(event.value) }),
      } as const;
    } catch (error) {
      await end();
      return { done: false, value: failure(error, context) } as const;
    }
  };
  return placedAs(source, asyncIterator<GraphResult>(next, end));
}

/** Returns the cursor of an event. Not before it is asked for: some are sealed only where they are read. */
function cursorIn(event: unknown): string | undefined {
  const cursor = isRecord(event) ? event['cursor'] : undefined;
  return typeof cursor === 'string' ? cursor : undefined;
}
