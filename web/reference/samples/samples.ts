import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { OpenApi, Operation } from '../open-api.js';
import { graphqlSample } from './graphql.js';
import { schemeOf } from './input.js';
import { pythonSample } from './python.js';
import { typescriptSample } from './typescript.js';

export interface SampleSource {
  readonly schema: GraphQLSchema;
  readonly documentOf: (id: string) => DocumentNode | undefined;
}

/** Returns the example of an operation in each language, the shell first. */
export function samplesOf(
  source: SampleSource,
  openApi: OpenApi,
  operation: Operation,
): readonly { readonly title: string; readonly text: string }[] {
  const document = source.documentOf(operation.id);
  const graphql = document === undefined ? undefined : graphqlSample(source, openApi, operation, document);
  return [
    ...(operation.curl === undefined ? [] : [{ title: 'curl', text: operation.curl }]),
    // The clients are for programs, and have no cookie.
    ...(schemeOf(operation) === 'browserSession'
      ? []
      : [
          { title: 'TypeScript', text: typescriptSample(openApi, operation) },
          { title: 'Python', text: pythonSample(openApi, operation) },
        ]),
    ...(graphql === undefined
      ? []
      : [
          {
            title: 'GraphQL',
            text: `${graphql.document}\n\n# Variables\n${JSON.stringify(graphql.variables, null, 2).replaceAll(/^/gm, '# ')}`,
          },
        ]),
  ];
}
