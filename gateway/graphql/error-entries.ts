import { GraphQLError, type VariableDefinitionNode } from 'graphql';
import { z } from 'zod';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { detailForm } from '../graph/graph-error.js';
import type { Prepared } from '../graph/operation.js';

const detailsForm = z.array(detailForm).min(1);

/** Gives each error of the variables an entry of its own, at the place where the document declares the variable. Errors of the operation itself are not changed. */
export function withEntries(result: GraphResult, { operation }: Prepared): GraphResult {
  const { data, errors } = result;
  if (data !== undefined || errors === undefined) return result;
  const { variableDefinitions = [] } = operation;
  const declared = new Map(variableDefinitions.map((node) => [node.variable.name.value, node]));
  return { ...result, errors: errors.flatMap((error) => entriesOf(error, declared)) };
}

function entriesOf(error: GraphQLError, declared: ReadonlyMap<string, VariableDefinitionNode>): GraphQLError[] {
  const details = detailsForm.safeParse(error.extensions['details']).data;
  if (error.path !== undefined || error.locations !== undefined || details === undefined) return [error];
  const entries = details.flatMap((detail) => {
    const node = declared.get(/^[^.[]*/.exec(detail.path)?.[0] ?? '');
    if (node === undefined) return [];
    const message = details.length === 1 ? error.message : `${detail.path}: ${detail.message}`;
    return new GraphQLError(message, { nodes: node, extensions: { ...error.extensions, details: [detail] } });
  });
  return entries.length === details.length ? entries : [error];
}
