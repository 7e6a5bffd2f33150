import type { GraphQLSchema } from 'graphql';
import { fileURLToPath } from 'node:url';
import { graphqlFiles, readEach } from '../gateway/graph/operation-file.js';
import { readTool } from './tool-file.js';
import type { Tool } from './tool.js';
import { withVocabulary } from './vocabulary.js';

const ownTools = fileURLToPath(new URL('./tools/', import.meta.url));

/** Reads every tool of a folder, by name. @param schema the graph's public types @throws {Error} that names every file with an error */
export function loadTools(schema: GraphQLSchema, folder: string = ownTools): readonly Tool[] {
  const types = withVocabulary(schema);
  return readEach('mcp/tools', graphqlFiles(folder), (name, document) => readTool(types, name, document));
}
