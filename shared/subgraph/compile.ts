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

/** Runs one document with already coerced variables. */
export type Runner = (
  root: unknown,
  context: Context,
  coerced: Variables,
) => ExecutionResult | Promise<ExecutionResult>;

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
