import type { BucketName, CredentialRule } from '../gateway/edge/rules.js';

/** The part of JSON Schema that requests are described and checked by. */
export interface ParameterSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string | number;
  /** False where null is refused, though the graph takes it: SOFA leaves null out. */
  readonly nullable?: false;
}

/** One argument of the operation, as a caller of the REST path gives it. */
export interface Parameter {
  readonly description: string;
  /** What narrows the type that the graph gives the argument. Query values are text, so `type` is string there. */
  readonly schema?: ParameterSchema;
  /** What a value must be, as the caller reads it when it is not: `must be …`. */
  readonly rule?: string;
}

/** What an example sends. A test sends it to the running house and checks the answer against the schema. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export type Tag = 'Account' | 'API keys' | 'Operation data' | 'Tokenization' | 'Developer';

/** One REST path and the operation of the graph behind it: all that SOFA, the edge and the OpenAPI text need to know. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` where an argument of the operation stands in the path. */
  readonly path: string;
  /** The root field of the graph. Path, query and body are mapped onto its arguments by name. */
  readonly operation: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly credential: Extract<CredentialRule, 'none' | 'session' | 'apiKey' | 'developerKey'>;
  readonly bucket: Exclude<BucketName, 'probe' | 'graphql'>;
  readonly status: 200 | 201 | 204;
  /** What a good answer is, in the OpenAPI text. */
  readonly answer: string;
  /** Fields of the answer that are left out where they have no value, by place: `nextToken`, `items.interestPercentage`. */
  readonly absent?: readonly string[];
  /** Statuses that only this path's own rules give, each with its condition. The edge's own are known from the rest. */
  readonly faults: Readonly<Record<number, string>>;
  /** Whether what it makes is told of events afterwards, which the text then describes. */
  readonly tells?: true;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly example: Example;
}

/** The names of a path's parameters. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Whether the arguments come in a JSON body. */
export function hasBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}
