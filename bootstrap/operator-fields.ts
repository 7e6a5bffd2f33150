import { existsSync, readFileSync } from 'node:fs';
import { once } from '../shared/memo.js';
import { fieldsForm, type OperatorFields } from './operator-field.js';

const operatorFieldsFile = new URL('./operator-fields.json', import.meta.url);

export const readOperatorFields = once(async (): Promise<OperatorFields> => {
  if (!existsSync(operatorFieldsFile)) return (await import('./describe-operator-fields.js')).describeOperatorFields();
  return fieldsForm.parse(JSON.parse(readFileSync(operatorFieldsFile, 'utf8')));
});
