import { z } from 'zod';

const inputForm = z.object({
  name: z.string(),
  /** As in the schema: `[String!]!`. */
  type: z.string(),
  description: z.string(),
  /** Default value as GraphQL text. */
  byDefault: z.string().optional(),
});

const fieldForm = z.object({
  name: z.string(),
  kind: z.enum(['query', 'mutation']),
  subgraph: z.string(),
  /** The role that an operator needs; undefined where none is needed. */
  role: z.string().optional(),
  description: z.string(),
  arguments: z.array(inputForm),
  /** What is selected of the result; empty for a scalar. */
  selection: z.string(),
  /** Whether the result is a page, and `after` asks for the next one. */
  hasPages: z.boolean(),
});

export const fieldsForm = z.object({
  fields: z.record(z.string(), fieldForm),
  inputs: z.record(z.string(), z.array(inputForm)),
  /** Values of the enums, by type. */
  enums: z.record(z.string(), z.array(z.string())),
});

export type OperatorInput = Readonly<z.infer<typeof inputForm>>;
export type OperatorField = Readonly<z.infer<typeof fieldForm>>;
export type OperatorFields = Readonly<z.infer<typeof fieldsForm>>;
