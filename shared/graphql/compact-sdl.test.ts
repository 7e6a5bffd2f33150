import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  buildSchema,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { compactSdl } from './compact-sdl.js';

const piece = fc.constantFrom('a', ' ', '\n', '\n\n', '"', '"""', '\\', '@x', '{', '(', ')', '#', '  b: C', 'é');
const description = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

test('whatever a description holds, the compact schema means the same and takes no more lines', () => {
  fc.assert(
    fc.property(description, description, description, (ofType, ofField, ofArgument) => {
      const args = { b: { type: GraphQLString, description: ofArgument } };
      const fields = { a: { type: GraphQLString, description: ofField, args }, c: { type: GraphQLString } };
      const schema = new GraphQLSchema({
        query: new GraphQLObjectType({ name: 'Query', description: ofType, fields }),
      });
      const printed = printSchema(schema);
      const compact = compactSdl(printed);
      const textOf = (sdl: string) => printSchema(lexicographicSortSchema(buildSchema(sdl)));
      expect(textOf(compact)).toBe(textOf(printed));
      expect(compact.split('\n').length).toBeLessThanOrEqual(printed.split('\n').length);
    }),
  );
});
