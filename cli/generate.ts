import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeArtefacts } from '../bootstrap/generate.js';
import type { Command } from './command.js';

export const generateCommand: Command = {
  usage: `Usage: npm run generate

Run it in the folder of the repository. It regenerates the subgraphs' schema.graphql, supergraph.graphql, rest/openapi.json, mcp/tools.json,
shared/database/schema.txt and the importer's operation.schema.json, and prints the files that changed. Commit the result: CI fails when they differ from the code.`,
  run: async () => {
    for (const { path, text } of await makeArtefacts()) {
      const file = join(process.cwd(), path);
      const before = await readFile(file, 'utf8').catch(() => undefined);
      if (before === text) continue;
      await writeFile(file, text);
      process.stdout.write(`${before === undefined ? 'created' : 'changed'} ${path}\n`);
    }
    return 0;
  },
};
