import { OperationTypeNode } from 'graphql';
import { rootNames } from '../../../shared/graphql/root-names.js';
import type { Prepared } from '../operation.js';

/** Number of root fields of an operation that are limited individually, besides the document's cost; each alias counts. */
export interface ThrottledFields {
  /** Fields that attackers would call repeatedly: limited by source address, like their documented paths. */
  readonly guarded: number;
  /** The other mutations: each counts as a request of a trading company's rate, as on its documented path. */
  readonly mutations: number;
}

/** Counts the throttled fields of an operation. @param names the fields that are limited by source address */
export function throttledFields({ document, operation }: Prepared, names: ReadonlySet<string>): ThrottledFields {
  const fields = rootNames(document);
  const guarded = fields.filter((name) => names.has(name)).length;
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  return { guarded, mutations: isMutation ? fields.filter((name) => !name.startsWith('__')).length - guarded : 0 };
}
