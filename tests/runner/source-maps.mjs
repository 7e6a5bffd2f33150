// The source maps of the TypeScript that Node has loaded, for the stack traces that Jest prints: compiled again for a file that an error
// names, which are few.
import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { transformed } from '../../scripts/compiler.mjs';

class SourceMaps extends Map {
  get(file) {
    if (!/^file:.*\.tsx?$/.test(file) || file.includes('/node_modules/')) return undefined;
    if (!this.has(file)) {
      const { map } = transformSync(readFileSync(new URL(file)), { ...transformed(file), sourcemap: 'external' });
      this.set(file, `data:application/json;base64,${Buffer.from(map).toString('base64')}`);
    }
    return super.get(file);
  }
}

export const sourceMaps = new SourceMaps();
