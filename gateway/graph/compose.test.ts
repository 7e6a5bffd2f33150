import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Supergraph } from '@apollo/federation-internals';
import { describe, expect, test } from '@jest/globals';
import { isScalarType, isSpecifiedScalarType, printSchema } from 'graphql';
import { librarySubgraph } from '../../tests/graph/library.js';
import { reviewsSubgraph } from '../../tests/graph/reviews.js';
import { composeSupergraph } from './compose.js';
import { createGraph } from './graph.js';

const root = new URL('../..', import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('the supergraph', () => {
  test('that is committed is what the committed subgraphs compose to', () => {
    const subgraphs = readdirSync(new URL('subgraphs/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(new URL(`subgraphs/${entry.name}/schema.graphql`, root)))
      .map(({ name }) => ({ name, sdl: text(`subgraphs/${name}/schema.graphql`) }));
    expect(composeSupergraph(subgraphs)).toBe(text('supergraph.graphql'));
  });

  test('says of each scalar of callers where its form is specified', () => {
    const api = Supergraph.build(text('supergraph.graphql')).apiSchema().toGraphQLJSSchema();
    const own = Object.values(api.getTypeMap()).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
    expect(own.map(({ name }) => name).sort()).toEqual(['Date', 'DateTime', 'Decimal', 'Month']);
    for (const type of own) {
      expect(type).toHaveProperty('specifiedByURL', expect.stringMatching(/^https:\/\/www\./));
      expect(printSchema(api)).toContain(`scalar ${type.name} @specifiedBy(url: "https://www.`);
    }
  });

  test('does not depend on the order in which subgraphs are named', () => {
    const [library, reviews] = [librarySubgraph(), reviewsSubgraph()];
    expect(composeSupergraph([reviews, library])).toBe(composeSupergraph([library, reviews]));
  });

  test('is refused with every reason when the subgraphs do not fit together', () => {
    const sdl = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")';
    const [left, right] = ['Int', 'String'].map((type, at) => ({
      name: `s${at}`,
      sdl: `${sdl} type Query { a: ${type} b: ${type} }`,
    }));
    if (left === undefined || right === undefined) throw new Error('two are made');
    expect(() => composeSupergraph([left, right])).toThrow(/Query\.a[^]*Query\.b/);
  });

  test('needs a source for each of its subgraphs', async () => {
    const supergraphSdl = composeSupergraph([librarySubgraph(), reviewsSubgraph()]);
    await expect(createGraph({ supergraphSdl, sources: {} })).rejects.toThrow(
      'There is no data source for the subgraph library, reviews',
    );
  });
});
