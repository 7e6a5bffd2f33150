import type { ErrorCode } from '../shared/registry.js';
import type { BucketName, CredentialRule } from '../gateway/http/route-policy.js';

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
  /** Whether `minimum` itself is refused, in the notation of OpenAPI 3.0. */
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  /** With `type: 'number'`: maximum number of decimals. Not `multipleOf`: most validators find that 4.35 is no multiple of 0.01. */
  readonly 'x-decimals'?: number;
  /** Item type of a list: text, with the words that are allowed where the text names them. */
  readonly items?: { readonly type: 'string'; readonly enum?: string[] };
  readonly default?: string | number | boolean;
  /** False where null is refused, though the graph takes it: SOFA leaves null out. */
  readonly nullable?: false;
}

export interface Parameter {
  readonly description: string;
  /** The header that carries it, such as `X-Profile-Id`, where it is in neither path, query nor body. Booleans are `true` or `false`. */
  readonly header?: string;
  /** Whether the sandbox takes no other value than `true`. */
  readonly trueInSandbox?: boolean;
  /** Narrows the graph's type. With `number` a Decimal is sent as a JSON number. Patterns mean the same with the flag `u` and without. */
  readonly schema?: ParameterSchema;
  /** An additional form, for a rule that no pattern expresses in the same way for every client. */
  readonly form?: RegExp;
  /** Whether the text is brought into its identifying form before it is checked, and must be visible. */
  readonly identifies?: true;
  /** The rule for a value, as the caller reads it when the value breaks it: `must be …`. */
  readonly rule?: string;
  /** Whether the items of the list are names of events: the OpenAPI text lists those that webhooks receive, and the domain checks them. */
  readonly eventNames?: true;
  /** Whether callers send the values of the enum in lower case. */
  readonly lowerCase?: true;
  /** All members of an input object, or of each one in a list; no others are accepted. */
  readonly members?: Readonly<Record<string, Parameter>>;
}

/** A JSON number with at most two decimals, exact in any client's JSON. */
export const amount = { type: 'number', 'x-decimals': 2, minimum: 0, maximum: 999_999_999_999.99 } as const;
/** BRL. The domain refuses a value not above 0, with 422. */
export const money = { ...amount, exclusiveMinimum: true } as const;

/** Control characters, and what is drawn as nothing: `isVisible` of the basic plane, since patterns mean the same without the flag `u`. */
const hidden = [
  String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f`,
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
].join('');

/** Patterns of texts without hidden characters: any text, one that is not blank, and one that begins and ends with no blank. */
export const printable = {
  any: `^[^${hidden}]*$`,
  some: `^[^${hidden}]*[^\\s${hidden}][^${hidden}]*$`,
  trimmed: `^[^\\s${hidden}]([^${hidden}]*[^\\s${hidden}])?$`,
} as const;

/** A further form of the body: text that is one argument of another operation of the same type; its other arguments are in path or query. */
export interface TextBody {
  /** Decides its media type (`textTypeOf`). */
  readonly profile: string;
  readonly operation: string;
  /** The argument that is the text. It is UTF-8, or else ISO-8859-1; it may be compressed with gzip. */
  readonly variable: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly example: string;
}

/** Query parameters that choose the separator between the cells of CSV, in English and in Portuguese. */
export const separatorParameters = ['separator', 'separador'] as const;

/** A second form of a list's response for `Accept: text/csv`: CSV of the whole list, whatever the size of a page. */
export interface CsvForm {
  readonly description: string;
  readonly fileName: string;
  readonly columns: readonly string[];
  /** The arguments that replace the caller's when a page is read: the size of a page. */
  readonly page: Readonly<Record<string, string>>;
  /** The argument that gives the start of a page; undefined for a list of a single page. The caller's value for it is ignored. */
  readonly cursor?: string;
  /** @param response of the page, as JSON @throws where the page does not continue the previous ones; for the first page an `ApiError` */
  readonly read: (response: unknown, isFirst: boolean) => CsvPage;
  readonly example: string;
}

export interface CsvPage {
  readonly rows: readonly (readonly string[])[];
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
  /** Number of all items, where it is exact: the pages of one file are of one list only while it stays the same. */
  readonly total?: number;
}

/** A request for the documentation. A test sends it to the running program and checks the response against the schema. */
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
  /** With `:name` where an argument of the operation is in the path. */
  readonly path: string;
  /** The operation of `rest/operations/`. Path, query and body are mapped onto its variables by name. */
  readonly operation: string;
  /** Operation id in the OpenAPI text, where it is not the operation's name: for several paths of one operation. */
  readonly operationId?: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly credential: Extract<CredentialRule, 'none' | 'session' | 'apiKey' | 'developerKey' | 'signature' | 'trader'>;
  /** Scope that a developer's key, or a trader's credential, must have. A caller without it is refused before the request is checked. */
  readonly scope?: string;
  /** With `credential: 'session'`: whether only the session of a browser is accepted, and then what a program sends instead; others are 403. */
  readonly byProgram?: string;
  /** With `credential: 'session'`: whether an account whose e-mail is not confirmed is accepted, too. */
  readonly unconfirmed?: true;
  readonly bucket: Exclude<BucketName, 'unmetered' | 'graphql' | 'agent'>;
  /** The largest JSON body, in bytes, where that is not the 1 MiB of every path. */
  readonly bodyLimit?: number;
  readonly status: 200 | 201 | 204;
  /** The error of a null result; NOT_FOUND in general words by default. */
  readonly missing?: { readonly code?: ErrorCode; readonly message?: string };
  readonly response: string;
  /** Statuses that only this path's own rules cause, each with its condition. The edge's own follow from the other properties. */
  readonly errors?: Readonly<Record<number, string>> | undefined;
  /** Whether webhooks created by this operation receive events, which the text then describes. */
  readonly tells?: true;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Fields of a JSON body that callers mistake for parameters, each with the right way: they are refused with 400 instead of ignored. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly textBodies?: readonly TextBody[];
  readonly csv?: CsvForm;
  /** The media types of a response that is a file: the operation returns its name, its type and its bytes as Base64. */
  readonly file?: readonly string[];
  /** Whether a request reads all lines of a batch: a caller has two such reads at a time, and pays for the length of the response. */
  readonly readsWhole?: true;
  readonly example: Example;
}

/** One way into an operation: a route, or a further form of it. */
export interface Row extends Route {
  readonly text?: string;
  readonly profile?: string;
}

/** The largest text body, in bytes as sent. */
export const largestText = 10 * 1_048_576;

/** Returns the forms of a route whose body is text, each as a row of its own. */
export function textRows({ textBodies = [], ...route }: Route): Row[] {
  return textBodies.map(({ operation, profile, variable, description, parameters }) => ({
    ...route,
    operation,
    profile,
    text: variable,
    parameters: { ...parameters, [variable]: { description } },
  }));
}

export function rowsOf(routes: readonly Route[]): Row[] {
  return routes.flatMap((route) => [route, ...textRows(route)]);
}

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

export function hasBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

export function isWrite({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET';
}

/** Whether a repeated request of the route gets the stored response: by its idempotency key, or only by its signature. */
export function isReplayed(route: Pick<Route, 'method' | 'credential'>): boolean {
  return hasBody(route) || (isWrite(route) && route.credential === 'signature');
}

/** Whether the responses of the route are the same for everyone, so that caches may keep them. */
export function isPublished({ method, credential }: Pick<Route, 'method' | 'credential'>): boolean {
  return method === 'GET' && credential === 'none';
}

/** Whether the arguments outside the path come in a JSON body; otherwise they are in the query. */
export function takesJson(row: Pick<Row, 'method' | 'text'>): boolean {
  return hasBody(row) && row.text === undefined;
}

export function queryParameters(row: Row): ReadonlySet<string> {
  if (takesJson(row)) return new Set();
  const elsewhere = new Set([...pathParameters(row.path), ...headerNames(row).keys(), row.text]);
  const own = Object.keys(row.parameters).filter((name) => !elsewhere.has(name));
  return new Set([...own, ...(row.csv === undefined ? [] : separatorParameters)]);
}

export function headerNames({ parameters }: Pick<Row, 'parameters'>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(parameters).flatMap(([name, { header }]) => (header === undefined ? [] : [[name, header] as const])),
  );
}

export function headerParameters(row: Pick<Row, 'parameters'>): ReadonlyMap<string, string> {
  return new Map([...headerNames(row)].map(([name, header]) => [name, header.toLowerCase()]));
}
