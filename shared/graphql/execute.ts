import {
  createSourceEventStream,
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  GraphQLSchema,
  type OperationDefinitionNode,
  BREAK,
  execute,
  GraphQLScalarType,
  Kind,
  print,
  visit,
  type ExecutionResult,
  type ListValueNode,
  type ObjectValueNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { asyncIterator, finished } from '../kernel/async-iterator.js';
import type { Context } from '../kernel/context.js';
import type { KeyRing } from '../security/crypto.js';
import { isRecord } from '../kernel/is-record.js';
import { placed, placedAs } from '../kernel/stream-place.js';
import { declaredAccess, demand, demandProof, type Declared } from './access.js';
import type { GraphResult, GraphResultStream, Executor } from './executor.js';
import { once } from './idempotency.js';
import { onceInSteps, runsInSteps } from './in-steps.js';
import { failure, masked } from './mask.js';
import { isCachedQuery } from './response-cache.js';
import { rootNames } from './root-names.js';
import { coerceInTurns, coerceVariables, type Variables } from './variables.js';

interface Plan {
  readonly operation: OperationDefinitionNode;
  /** Whether it reads nothing but published data, which a replica may show. */
  readonly readsPublished: boolean;
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
        if (plan.mutations.some(({ givesSecret }) => givesSecret === true)) idempotency.only = context.principal.id;
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

/** Maps events to results with their cursors. A failed source ends with a result of the error; `return` reaches it at once. */
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

/** Whether a document is a query of only published data: all its root fields are declared with `@CacheResponse`. */
function readsPublished(schema: GraphQLSchema, document: DocumentNode): boolean {
  if (getOperationAST(document)?.operation !== OperationTypeNode.QUERY) return false;
  const fields = schema.getQueryType()?.getFields() ?? {};
  const names = rootNames(document).filter((name) => name !== '__typename');
  return names.length > 0 && names.every((name) => isCachedQuery(fields[name]?.extensions));
}

type Runner = (root: unknown, context: Context, coerced: Variables) => ExecutionResult | Promise<ExecutionResult>;

export interface Compiler {
  /** The schema and the document as runners need them: every variable has a scalar type that accepts anything. */
  readonly schema: GraphQLSchema;
  plain(document: DocumentNode): DocumentNode;
  /** Runs the document with graphql-js: slower per run, but ready at once. */
  interpret(document: DocumentNode): Runner;
  /** Compiles the document with graphql-jit; undefined for what graphql-jit cannot run or runs differently. */
  compile(document: DocumentNode): Runner | undefined;
}

const anything = new GraphQLScalarType({
  name: 'Coerced',
  description: 'Any value: a variable that is already coerced.',
});

/**
 * Makes documents executable on one schema. Four things that graphql-jit 0.8 does wrong are kept from it:
 * - coercion of variables, where it omits the defaults of non-null types
 * - `@skip` and `@include`, where it treats a fragment that is spread twice as one spread once
 * - variables inside a list or object literal, where it lets null through to a non-null position
 * - the alias `__proto__`, whose value it loses
 */
function createCompiler(schema: GraphQLSchema): Compiler {
  const config = schema.toConfig();
  const lenient = new GraphQLSchema({ ...config, types: [...config.types, anything], assumeValid: true });
  return {
    schema: lenient,
    plain,
    interpret: (document) => {
      const runnable = plain(document);
      return (rootValue, contextValue, variableValues) =>
        execute({ schema: lenient, document: runnable, rootValue, contextValue, variableValues });
    },
    compile: (document) => {
      if (isRisky(document)) return undefined;
      const compiled = compileQuery(lenient, plain(document), undefined, { disablingCapturingStackErrors: true });
      return isCompiledQuery(compiled) ? compiled.query : undefined;
    },
  };
}

function plain(document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition: ({ kind, variable }) => ({
      kind,
      variable,
      type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: anything.name } },
    }),
  });
}

function isRisky(document: DocumentNode): boolean {
  let risky = false;
  const found = () => {
    risky = true;
    return BREAK;
  };
  const hasVariable = (node: ListValueNode | ObjectValueNode) => (print(node).includes('$') ? found() : false);
  visit(document, {
    Directive: ({ name }) => (name.value === 'skip' || name.value === 'include' ? found() : undefined),
    Field: ({ alias }) => (alias?.value === '__proto__' ? found() : undefined),
    ListValue: hasVariable,
    ObjectValue: hasVariable,
  });
  return risky;
}
