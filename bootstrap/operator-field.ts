import { z } from 'zod';

const inputForm = z.object({
  name: z.string(),
  /** Type as in the schema: `[String!]!`. */
  type: z.string(),
  description: z.string(),
  byDefault: z.string().optional(),
});

const fieldForm = z.object({
  name: z.string(),
  kind: z.enum(['query', 'mutation']),
  subgraph: z.string(),
  role: z.string().optional(),
  description: z.string(),
  arguments: z.array(inputForm),
  selection: z.string(),
  /** Whether the result is a page, and `after` asks for the next one. */
  hasPages: z.boolean(),
});

export const fieldsForm = z.object({
  fields: z.record(z.string(), fieldForm),
  inputs: z.record(z.string(), z.array(inputForm)),
  enums: z.record(z.string(), z.array(z.string())),
});

export type OperatorInput = Readonly<z.infer<typeof inputForm>>;
export type OperatorField = Readonly<z.infer<typeof fieldForm>>;
export type OperatorFields = Readonly<z.infer<typeof fieldsForm>>;
