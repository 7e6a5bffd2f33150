/** Security schemes of the OpenAPI text whose credential is a key of an account. */
const keySchemes: readonly string[] = ['apiKey', 'developerKey'];

/** A REST operation that can be tried with a key of the reader's. */
export interface TriedOperation {
  readonly id: string;
  readonly method: string;
  /** With the names of its parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters: readonly TriedParameter[];
  /** An example of its body, as JSON; undefined where it has none. */
  readonly body: string | undefined;
  readonly needsKey: boolean;
}

export interface TriedParameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly isRequired: boolean;
  /** What it means, in English. */
  readonly description: string;
  readonly example: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the parameters of an address that choose an operation; all others are left out. */
export function trialParameters({ operation }: Fields): { readonly operation?: string } {
  return typeof operation === 'string' ? { operation } : {};
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Returns the operations of an OpenAPI document without a credential, and those with a key of an account. */
export function triedOperations(document: unknown): readonly TriedOperation[] {
  return Object.entries(fieldsOf(fieldsOf(document)['paths'])).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const found = fieldsOf(item)[method];
      return found === undefined ? [] : triedOperation(method, path, fieldsOf(found));
    }),
  );
}

function triedOperation(method: string, path: string, operation: Fields): readonly TriedOperation[] {
  const schemes = listOf(operation['security']).flatMap((one) => Object.keys(fieldsOf(one)));
  if (schemes.length > 0 && !schemes.some((scheme) => keySchemes.includes(scheme))) return [];
  const [tag] = listOf(operation['tags']);
  return [
    {
      id: textOf(operation['operationId']),
      method: method.toUpperCase(),
      path,
      tag: textOf(tag),
      summary: textOf(operation['summary']),
      parameters: listOf(operation['parameters']).flatMap(parameterOf),
      body: bodyOf(operation['requestBody']),
      needsKey: schemes.length > 0,
    },
  ];
}

function parameterOf(value: unknown): readonly TriedParameter[] {
  const { name, in: place, required, description, example } = fieldsOf(value);
  if (place !== 'path' && place !== 'query') return [];
  return [
    {
      name: textOf(name),
      place,
      isRequired: required === true,
      description: textOf(description),
      example: typeof example === 'number' || typeof example === 'string' ? String(example) : '',
    },
  ];
}

function bodyOf(value: unknown): string | undefined {
  const json = fieldsOf(fieldsOf(value)['content'])['application/json'];
  if (json === undefined) return undefined;
  const { example, examples } = fieldsOf(json);
  const [first] = Object.values(fieldsOf(examples));
  return JSON.stringify(example ?? fieldsOf(first)['value'] ?? {}, null, 2);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What is sent: the address, and the body where there is one. */
export interface TriedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

/** Returns the request of an operation with values by the names of its parameters; an empty one is left out. */
export function requestOf(
  operation: TriedOperation,
  valueOf: (name: string) => string,
  body: string | undefined,
): TriedRequest {
  const query = new URLSearchParams(
    operation.parameters
      .filter(({ place, name }) => place === 'query' && valueOf(name) !== '')
      .map(({ name }) => [name, valueOf(name)]),
  );
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(valueOf(name)));
  return { method: operation.method, url: query.size === 0 ? path : `${path}?${query.toString()}`, body };
}

/** Returns the command that sends a request; the key stands in a variable of the shell. */
export function curlOf({ method, url, body }: TriedRequest, origin: string, needsKey: boolean): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + url)}`,
    ...(needsKey ? [`-H "X-API-Key: $LASTRO_KEY"`] : []),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
