import type { GraphQLSchema } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTool, withVocabulary } from './tool-file.js';
import type { Tool } from './tool.js';

const houseTools = fileURLToPath(new URL('./tools/', import.meta.url));

/**
 * Reads every tool of a folder, in the order of their names.
 * @param schema the graph's public types
 * @throws {Error} that names every file with an error, and the error.
 */
export function loadTools(schema: GraphQLSchema, folder: string = houseTools): readonly Tool[] {
  const types = withVocabulary(schema);
  const errors: string[] = [];
  const tools = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .flatMap((file) => {
      try {
        return [readTool(types, basename(file, '.graphql'), readFileSync(join(folder, file), 'utf8'))];
      } catch (error) {
        errors.push(`mcp/tools/${file}: ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }
    });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return tools;
}
