import { getOperationAST, OperationTypeNode, type DocumentNode, type GraphQLSchema } from 'graphql';
import { rootNames } from './root-names.js';
import { isCachedQuery } from './response-cache.js';

/** Whether a document is a query of published data alone: all its root fields are declared with `@CacheResponse`. */
export function readsPublished(schema: GraphQLSchema, document: DocumentNode): boolean {
  if (getOperationAST(document)?.operation !== OperationTypeNode.QUERY) return false;
  const fields = schema.getQueryType()?.getFields() ?? {};
  const names = rootNames(document).filter((name) => name !== '__typename');
  return names.length > 0 && names.every((name) => isCachedQuery(fields[name]?.extensions));
}
