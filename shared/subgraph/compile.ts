import {
  BREAK,
  execute,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  print,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type ListValueNode,
  type ObjectValueNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../context.js';
import type { Variables } from './variables.js';

/** Runs one document on variables that were coerced before. */
export type Runner = (
  root: unknown,
  context: Context,
  coerced: Variables,
) => ExecutionResult | Promise<ExecutionResult>;

export interface Compiler {
  /** The schema and the document as runners take them: every variable is of a type that takes anything. */
  readonly schema: GraphQLSchema;
  plain(document: DocumentNode): DocumentNode;
  /** Runs by graphql-js: slower a run, and ready at once. */
  interpret(document: DocumentNode): Runner;
  /** Runs by graphql-jit; undefined for what it cannot do, or does in a way of its own. */
  compile(document: DocumentNode): Runner | undefined;
}

const anything = new GraphQLScalarType({
  name: 'Coerced',
  description: 'Anything: a variable that was coerced before.',
});

/**
 * Makes documents runnable on one schema. Four things are kept from graphql-jit 0.8, which does them wrong:
 * - coercing variables, where it forgets the defaults of non-null types
 * - `@skip` and `@include`, where it takes a fragment that is spread twice for one that is spread once
 * - variables within a list or an object of the text, where it lets null through to what must not be null
 * - the alias `__proto__`, where it loses the value
 */
export function createCompiler(schema: GraphQLSchema): Compiler {
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
