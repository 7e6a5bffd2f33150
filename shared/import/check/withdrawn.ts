import { violation } from '../import-rules.js';

/**
 * Returns the SQL columns of the violation that a name is reserved for a withdrawn record.
 * @param label the singular of its kind: `series`
 * @param name SQL of the name
 * @param act SQL of the id of the act that withdrew it
 */
export function reservedFor(label: string, name: string, act: string): string {
  return violation('NAME_RESERVED', { value: name, label: `'${label}'`, import: act });
}
