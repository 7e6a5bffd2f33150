/** The subset of JSON Schema that describes event data: OpenAPI 3.0 and validators interpret it alike. */
export interface DataSchema {
  readonly type: 'object' | 'string' | 'integer' | 'boolean' | 'array';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly required?: readonly string[];
  readonly items?: DataSchema;
  readonly enum?: readonly string[];
  readonly format?: 'uuid' | 'date' | 'date-time';
  readonly pattern?: string;
}

export type Surface = 'TOKENIZATION' | 'CREDIT_ASSIGNMENT' | 'TRADING';

export interface EventType {
  readonly name: string;
  readonly meaning: string;
  readonly surface: Surface;
  /** Schema of `data`. Fields may be added; existing ones stay. */
  readonly data: DataSchema;
}

export const text = (description: string): DataSchema => ({ type: 'string', description });
export const id = (description: string): DataSchema => ({ type: 'string', format: 'uuid', description });
export const day = (description: string): DataSchema => ({ type: 'string', format: 'date', description });
export const instant = (description: string): DataSchema => ({ type: 'string', format: 'date-time', description });
export const whole = (description: string): DataSchema => ({ type: 'integer', description });
export const flag = (description: string): DataSchema => ({ type: 'boolean', description });
export const oneOf = (description: string, ...values: readonly string[]): DataSchema => ({
  type: 'string',
  enum: values,
  description,
});

/** Money in BRL, with 2 decimals. */
export const money = (description: string): DataSchema => ({
  type: 'string',
  pattern: String.raw`^-?[0-9]+\.[0-9]{2}$`,
  description,
});

/** A unit price in BRL, with 8 decimals. */
export const price = (description: string): DataSchema => ({
  type: 'string',
  pattern: String.raw`^-?[0-9]+\.[0-9]{8}$`,
  description,
});

/** A decimal number as text, of any precision. */
export const decimal = (description: string): DataSchema => ({
  type: 'string',
  pattern: String.raw`^-?[0-9]+(\.[0-9]+)?$`,
  description,
});

type Fields = Readonly<Record<string, DataSchema>>;

/** Builds an object schema whose fields are all required, except for optional ones, which are absent without a value. */
export function data(properties: Fields, optional: Fields = {}): DataSchema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}
