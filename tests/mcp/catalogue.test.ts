import { Supergraph } from '@apollo/federation-internals';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { withConstraintsOf } from '../../gateway/graph/limits/constraints.js';
import { loadTools } from '../../mcp/tool-file.js';
import { isRecord } from '../../shared/kernel/is-record.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('mcp/tools.json', () => {
  const graph = Supergraph.build(read('supergraph.graphql'), { validateSupergraph: false });
  const apiSchema = withConstraintsOf(graph.schema.toGraphQLJSSchema(), graph.apiSchema().toGraphQLJSSchema());
  const entries = loadTools(apiSchema).map(({ entry }) => entry);

  test('is what the tools say on the graph that is committed (npm run generate makes it anew)', () => {
    expect(JSON.parse(read('mcp/tools.json'))).toEqual({ tools: JSON.parse(JSON.stringify(entries)) as unknown });
  });

  test('holds tools of the protocol, with all that the contract names', () => {
    for (const entry of entries) {
      expect(ToolSchema.safeParse(entry).error).toBeUndefined();
      expect(Object.keys(entry)).toEqual([
        'name',
        'title',
        'description',
        'inputSchema',
        'outputSchema',
        'annotations',
      ]);
    }
  });

  test('declares one type for each argument, which some hosts require, and never null', () => {
    for (const { name, inputSchema } of entries)
      for (const schema of schemasIn(inputSchema)) {
        expect([name, schema]).toEqual([name, expect.objectContaining({ type: expect.any(String) })]);
        expect(Object.keys(schema)).not.toContain('anyOf');
        expect(schema['enum'] ?? []).not.toContain(null);
      }
  });

  test('describes every argument and every field of an answer', () => {
    const undescribed = entries.flatMap(({ name, inputSchema, outputSchema }) =>
      [inputSchema, outputSchema].flatMap((schema) => bare(schema, name)),
    );
    expect(undescribed).toEqual([]);
  });
});

function schemasIn(schema: unknown): Record<string, unknown>[] {
  if (!isRecord(schema)) return [];
  const within = [schema['items'], ...Object.values(isRecord(schema['properties']) ? schema['properties'] : {})];
  return [schema, ...within.flatMap(schemasIn)];
}

/** Where a schema has a property without a description, as paths. */
function bare(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) return bare(value, path);
    return Object.entries(value).flatMap(([name, property]: [string, unknown]) => {
      const own = `${path}.${name}`;
      const described = typeof property === 'object' && property !== null && 'description' in property;
      return [...(described ? [] : [own]), ...bare(property, own)];
    });
  });
}
