import type { BucketName, CredentialRule } from '../gateway/edge/route-policy.js';

/** The part of JSON Schema that requests are described and checked by. */
export interface ParameterSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  /** In characters, not in UTF-16 units. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  /** Whether `minimum` itself is refused; as OpenAPI 3.0 writes it. */
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  /** With `type: 'number'`: how many decimals a number may have. No `multipleOf`: to most validators 4.35 is no multiple of 0.01. */
  readonly 'x-decimals'?: number;
  /** Of a list of texts: the words that there are. */
  readonly items?: { readonly type: 'string'; readonly enum: string[] };
  readonly default?: string | number | boolean;
  /** False where null is refused, though the graph takes it: SOFA leaves null out. */
  readonly nullable?: false;
}

/** One argument of the operation, or a member of one, as a caller of the REST path gives it. */
export interface Parameter {
  readonly description: string;
  /** The header that it comes in, as `X-Profile-Id`, where it stands neither in path, query nor body. Booleans are `true` or `false`. */
  readonly header?: string;
  /**
   * What narrows the type that the graph gives the argument. A `Decimal` of the graph is text, unless this says `number`: then the
   * caller sends a JSON number, and the graph gets its text. Patterns mean the same with the flag `u` and without.
   */
  readonly schema?: ParameterSchema;
  /** A form besides, which no pattern can say that means the same to every client. */
  readonly form?: RegExp;
  /** What a value must be, as the caller reads it when it is not: `must be …`. */
  readonly rule?: string;
  /** The members of an input object, or of each one in a list: all that it has, and no others are taken. */
  readonly members?: Readonly<Record<string, Parameter>>;
}

/**
 * Money in BRL as a JSON number: two decimals at most, and every such number is exact in the JSON of any client. The domain refuses what is not
 * above 0, with 422.
 */
export const money = {
  type: 'number',
  'x-decimals': 2,
  minimum: 0,
  exclusiveMinimum: true,
  maximum: 999_999_999_999.99,
} as const;

const control = String.raw`\u0000-\u001f\u007f-\u009f`;

/** Patterns of texts without control characters: any, one that is not blank, and one that begins and ends with what can be seen. */
export const printable = {
  any: `^[^${control}]*$`,
  some: `^[^${control}]*[^\\s${control}][^${control}]*$`,
  trimmed: (() => {
    const end = `[^\\s${control}${String.raw`\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`}]`;
    return `^${end}([^${control}]*${end})?$`;
  })(),
} as const;

/**
 * A second form of the body, `text/plain; profile=…`: the text goes whole to one argument of another operation, which
 * answers the same type. Its other arguments stand in the path or the query.
 */
export interface TextBody {
  readonly profile: string;
  readonly operation: string;
  /** The argument that is the text. It is UTF-8, or else ISO-8859-1; gzip may pack it. */
  readonly variable: string;
  readonly description: string;
  /** The other arguments. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly example: string;
}

/** Where a query says what stands between the cells of CSV: in one language or the other. */
export const separatorParameters = ['separator', 'separador'] as const;

/** A second form of a list's response: CSV of the whole list, whatever the size of a page, for `Accept: text/csv`. */
export interface CsvForm {
  /** What the file holds, for the text. */
  readonly description: string;
  readonly fileName: string;
  readonly columns: readonly string[];
  /** The arguments that each page is read with, in the place of the caller's: the size of a page. */
  readonly page: Readonly<Record<string, string>>;
  /** The argument that says where a page begins; undefined of a list that is one page. What the caller gives for it means nothing. */
  readonly cursor?: string;
  /**
   * Makes rows of a page.
   * @param response the response of the page, as JSON has it
   * @throws where the page does not go on from those before; of the first page a `ApiError` that the caller is to read
   */
  readonly read: (response: unknown, isFirst: boolean) => CsvPage;
  /** The first lines of a file. */
  readonly example: string;
}

export interface CsvPage {
  readonly rows: readonly (readonly string[])[];
  /** Behind what the next page begins; null after the last. */
  readonly next: string | null;
}

/** What an example sends. A test sends it to the running house and checks the answer against the schema. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export type Tag =
  'Account' | 'API keys' | 'Operation data' | 'Tokenization' | 'Developer' | 'Credit assignment' | 'Trading';

/** One REST path and the operation of the graph behind it: all that SOFA, the edge and the OpenAPI text need to know. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` where an argument of the operation stands in the path. */
  readonly path: string;
  /** The root field of the graph. Path, query and body are mapped onto its arguments by name. */
  readonly operation: string;
  /** What the text calls it, where that is not the operation: of several paths of one. */
  readonly operationId?: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly credential: Extract<CredentialRule, 'none' | 'session' | 'apiKey' | 'developerKey' | 'signature' | 'trader'>;
  /** What a developer's key, or a trader's credential, must be allowed. Who lacks it hears so before anything is said of the request. */
  readonly scope?: string;
  readonly bucket: Exclude<BucketName, 'probe' | 'graphql' | 'agent'>;
  /** The largest body, in bytes, where that is not the 1 MiB of every path. */
  readonly bodyLimit?: number;
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
  /** Fields of a JSON body that callers take for parameters, each with the way that there is: sent, they are 400, and not ignored. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly textBody?: TextBody;
  readonly csv?: CsvForm;
  readonly example: Example;
}

/** One way into an operation: a route, or its second form. */
export interface Row extends Route {
  /** The argument that is the whole body, which is text then. */
  readonly text?: string;
}

/** The second form of a route, as a row of its own. */
export function textRow({ textBody, ...route }: Route): Row | undefined {
  if (textBody === undefined) return undefined;
  const { operation, variable, description, parameters } = textBody;
  return { ...route, operation, text: variable, parameters: { ...parameters, [variable]: { description } } };
}

/** Every way into an operation that a table has. */
export function rowsOf(routes: readonly Route[]): Row[] {
  return routes.flatMap((route) => [route, textRow(route) ?? []].flat());
}

/** The names of a path's parameters. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Whether requests have a body. */
export function hasBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** Whether the arguments that do not stand in the path come in a JSON body; otherwise they stand in the query. */
export function takesJson(row: Pick<Row, 'method' | 'text'>): boolean {
  return hasBody(row) && row.text === undefined;
}

/** The parameters that stand in the query of a request. */
export function queryParameters(row: Row): ReadonlySet<string> {
  if (takesJson(row)) return new Set();
  const elsewhere = new Set([...pathParameters(row.path), ...headerNames(row).keys(), row.text]);
  const own = Object.keys(row.parameters).filter((name) => !elsewhere.has(name));
  return new Set([...own, ...(row.csv === undefined ? [] : separatorParameters)]);
}

/** The arguments that come in headers, with the names of these as the text has them. */
export function headerNames({ parameters }: Pick<Row, 'parameters'>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(parameters).flatMap(([name, { header }]) => (header === undefined ? [] : [[name, header] as const])),
  );
}

/** The arguments that come in headers, with the names of these in lower case, as requests have them. */
export function headerParameters(row: Pick<Row, 'parameters'>): ReadonlyMap<string, string> {
  return new Map([...headerNames(row)].map(([name, header]) => [name, header.toLowerCase()]));
}
