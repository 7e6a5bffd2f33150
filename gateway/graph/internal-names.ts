import {
  GraphQLError,
  Kind,
  parse,
  visit,
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type NameNode,
} from 'graphql';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import type { Variables } from '../../shared/graphql/variables.js';
import { put, type Data } from './accelerator/merge.js';
import { responseKey } from './operation-file.js';

export interface InternalNames {
  readonly document: DocumentNode;
  readonly internalVariables: (variables: Variables) => Variables;
  readonly callerResult: (result: GraphResult) => GraphResult;
}

/** Renames a document's response names and variables where it is necessary; most documents stay unchanged. */
export type NameInternally = (document: DocumentNode) => InternalNames;

const representations = 'representations';
const identity = <T>(value: T): T => value;

/**
 * Planners take any field under the name of a `@key` or `@requires` field for that field. One that only looks like it (`id: title`, `comments(limit: 1)`)
 * is therefore planned under an internal name, and gets its own name back in the response.
 */
export function internalNames(supergraph: DocumentNode): NameInternally {
  const reserved = fieldsOfKeysAndRequirements(supergraph);
  const hides = ({ name, alias, arguments: args = [] }: FieldNode): boolean =>
    alias === undefined || alias.value === name.value
      ? args.length > 0 && reserved.has(name.value)
      : reserved.has(alias.value);

  return (document) => {
    const names = new Set<string>();
    const hiding = new Set<string>();
    visit(document, {
      Field: (field) => {
        names.add(responseKey(field));
        if (hides(field)) hiding.add(responseKey(field));
      },
      Variable: ({ name }) => {
        names.add(name.value);
        if (name.value === representations) hiding.add(representations);
      },
    });
    if (hiding.size === 0) return { document, internalVariables: identity, callerResult: identity };
    let prefix = 'caller_';
    while ([...names].some((name) => name.startsWith(prefix))) prefix = `_${prefix}`;
    return {
      document: visit(document, renaming(prefix, hides)),
      internalVariables: (variables) =>
        Object.hasOwn(variables, representations)
          ? { ...variables, [prefix + representations]: variables[representations] }
          : variables,
      callerResult: (result) => renamedResult(result, prefix),
    };
  };
}

function renaming(prefix: string, hides: (field: FieldNode) => boolean): ASTVisitor {
  // Introspection is not planned: its result keeps the caller's names.
  let introspecting = 0;
  return {
    Field: {
      enter: (field) => {
        const renamed = introspecting === 0 && hides(field);
        if (isIntrospection(field)) introspecting++;
        return renamed ? { ...field, alias: nameNode(prefix + responseKey(field)) } : undefined;
      },
      leave: (field) => {
        if (isIntrospection(field)) introspecting--;
      },
    },
    FragmentDefinition: {
      enter: ({ typeCondition }) => {
        if (typeCondition.name.value.startsWith('__')) introspecting++;
      },
      leave: ({ typeCondition }) => {
        if (typeCondition.name.value.startsWith('__')) introspecting--;
      },
    },
    Variable: (variable) =>
      variable.name.value === representations ? { ...variable, name: nameNode(prefix + representations) } : undefined,
  };
}

function renamedResult(result: GraphResult, prefix: string): GraphResult {
  const nameOf = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const renamedData = (data: Data): Data => {
    const own: Data = {};
    for (const name of Object.keys(data)) put(own, nameOf(name), renamed(data[name]));
    return own;
  };
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    return isRecord(value) ? renamedData(value) : value;
  };
  const { data, errors } = result;
  const placed = errors?.map(({ message, path, extensions }) => {
    const place = path?.map((key) => (typeof key === 'number' ? key : nameOf(key)));
    return new GraphQLError(message, { path: place, extensions });
  });
  return { ...result, ...(data == null ? {} : { data: renamedData(data) }), ...(placed && { errors: placed }) };
}

function isIntrospection({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

function fieldsOfKeysAndRequirements(supergraph: DocumentNode): ReadonlySet<string> {
  const found = new Set(['__typename']);
  visit(supergraph, {
    Directive: ({ name, arguments: args = [] }) => {
      if (!name.value.startsWith('join__')) return;
      for (const { name: argument, value } of args) {
        if (!['key', 'requires'].includes(argument.value) || value.kind !== Kind.STRING) continue;
        visit(parse(`{ ${value.value} }`), {
          // In a block: what a visitor returns replaces the node, and nothing below it is visited.
          Field: (field) => {
            found.add(field.name.value);
          },
        });
      }
    },
  });
  return found;
}
