import { taxIdForm } from '../../shared/kernel/tax-id.js';
import type { Parameter } from '../route.js';

export const uuid = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

export function pageSize(items = 'Items', usual = 20): Parameter {
  return {
    description: `${items} per page, 1 to 100; ${String(usual)} when omitted.`,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: usual },
    rule: 'must be a whole number from 1 to 100',
  };
}

/** Describes a CPF or CNPJ, without punctuation. */
export function taxId(description: string): Parameter {
  return {
    description,
    schema: { pattern: taxIdForm.source },
    rule: 'must be a CPF of 11 digits or a CNPJ of 14 characters, without punctuation',
  };
}

export const decimal = (description: string): Parameter => ({
  description,
  schema: { maxLength: 40 },
  rule: 'must be a decimal number as text, such as "0.015"',
});
