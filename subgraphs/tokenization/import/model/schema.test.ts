import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { kinds } from './kinds.js';
import { definitionName, importSchema, printSchema } from '../../../../shared/import/model/schema.js';
import { tokenizationImport } from '../domain.js';

test('the committed schema is the one that the importer works by: npm run lastro -- import --schema', async () => {
  const committed = await readFile(new URL('../patrimony.schema.json', import.meta.url), 'utf8');
  expect(committed).toBe(printSchema(importSchema(tokenizationImport)));
});

test('the schema is a valid one, and its own examples keep to it', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  addFormats.default(ajv);
  const schema = importSchema(tokenizationImport);
  ajv.addSchema(schema, 'whole');
  expect(ajv.validateSchema(schema)).toBe(true);
  for (const kind of kinds) {
    const validate = ajv.getSchema(`whole#/$defs/${definitionName(kind)}`);
    const [example] = (validate?.schema as { examples?: unknown[] } | undefined)?.examples ?? [];
    expect([kind.name, validate?.(example), validate?.errors]).toEqual([kind.name, true, null]);
  }
});

test('every field says what it is and gives an example', () => {
  for (const kind of kinds) {
    for (const field of kind.fields) {
      expect(field.description).toMatch(/\.$/);
      expect(field.example).not.toBeUndefined();
      expect([kind.name, field.name, field.type.hint]).not.toContain('');
    }
  }
});
