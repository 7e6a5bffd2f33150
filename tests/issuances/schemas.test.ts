import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { definitionName, importSchema, printSchema } from '../../shared/import/model/schema.js';
import { creditAssignmentImport } from '../../subgraphs/credit-assignment/import/domain.js';
import { issuancesImport } from '../../subgraphs/issuances/import/domain.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';

describe.each([
  ['credit-assignment/import/criteria', creditAssignmentImport],
  ['issuances/import/operation', issuancesImport],
  ['tokenization/import/patrimony', tokenizationImport],
] as const)('%s.schema.json', (path, domain) => {
  test('is the one that the importer works by: npm run lastro -- import --schema', async () => {
    const committed = await readFile(new URL(`../../subgraphs/${path}.schema.json`, import.meta.url), 'utf8');
    expect(committed).toBe(printSchema(importSchema(domain)));
  });

  test('is valid, and its own examples keep to it', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    addFormats.default(ajv);
    const schema = importSchema(domain);
    ajv.addSchema(schema, 'whole');
    expect(ajv.validateSchema(schema)).toBe(true);
    for (const kind of domain.kinds) {
      const validate = ajv.getSchema(`whole#/$defs/${definitionName(kind)}`);
      const [example] = (validate?.schema as { examples?: unknown[] } | undefined)?.examples ?? [];
      expect([kind.name, validate?.(example), validate?.errors]).toEqual([kind.name, true, null]);
    }
  });

  test('says of every field what it is, and gives an example', () => {
    for (const { name, fields } of domain.kinds) {
      for (const field of fields) {
        expect(field.description).toMatch(/\.$/);
        expect(field.example).not.toBeUndefined();
        expect([name, field.name, field.type.hint]).not.toContain('');
      }
    }
  });
});
