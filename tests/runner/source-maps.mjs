// The source maps of the TypeScript that Node has loaded, for the stack traces that Jest prints: compiled again for a file that an error
// names, which are few.
import { transformFileSync } from '@swc/core';
import { fileURLToPath } from 'node:url';
import { swcOptions } from '../../scripts/swc-options.mjs';

class SourceMaps extends Map {
  get(file) {
    if (!/^file:.*\.tsx?$/.test(file) || file.includes('/node_modules/')) return undefined;
    if (!this.has(file)) {
      const { map } = transformFileSync(fileURLToPath(file), swcOptions(file));
      this.set(file, `data:application/json;base64,${Buffer.from(map).toString('base64')}`);
    }
    return super.get(file);
  }
}

export const sourceMaps = new SourceMaps();
