import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import type { OpenApi, Operation, Parameter } from '../clients/openapi.js';
import {
  bodyOf,
  csv,
  hasCsv,
  json,
  pagingOf as pagingOfOperation,
  parametersOf,
  responsesOf,
  separators,
  textBodyOf,
  textProfileOf,
  type Paging,
} from '../clients/operation.js';

/** Which credential of the client a security scheme of the document needs. */
const credentials: Readonly<Record<string, string>> = {
  apiKey: 'api_key',
  apiKeyBearer: 'api_key',
  developerKey: 'developer_key',
  session: 'session_token',
  accessToken: 'access_token',
  clientId: 'signature',
};

/** A call that the client offers: an operation with one of the forms of its body and of its response. */
export interface Call {
  readonly operation: Operation;
  /** What follows the name of the operation in the name of this call. */
  readonly suffix: string;
  readonly parameters: readonly Parameter[];
  /** The JSON schema of the body, where it has one. */
  readonly body: JsonSchema | undefined;
  /** The media type of the body; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly accept: string;
  /** The schemas of successful responses; undefined stands for one without a body. */
  readonly responses: readonly (JsonSchema | undefined)[];
}

/** Returns every call of an operation: with JSON, and where it has them with a text body and with a response in CSV. */
export function callsOf(operation: Operation): Call[] {
  const parameters = parametersOf(operation);
  const body = bodyOf(operation);
  const inBody = Object.keys(body?.properties ?? {});
  const without = (names: readonly string[]) => parameters.filter(({ name }) => !names.includes(name));
  const call: Call = {
    operation,
    suffix: '',
    parameters: without([...separators, ...inBody]),
    body,
    mediaType: body === undefined ? undefined : json,
    accept: json,
    responses: responsesOf(operation),
  };
  const calls = [call];
  const textType = textBodyOf(operation);
  if (textType !== undefined) {
    // These parameters are optional in the document, because a JSON body has them itself.
    const needed = body?.required ?? [];
    const texts = parameters.map((one) => ({ ...one, required: one.required || needed.includes(one.name) }));
    calls.push({
      ...call,
      suffix: `_${textProfileOf(operation)}`,
      body: undefined,
      mediaType: textType,
      parameters: texts,
    });
  }
  if (hasCsv(operation)) {
    const pages = ['limit', 'nextToken', 'page', 'first', 'after', 'separador'];
    calls.push({ ...call, suffix: '_csv', accept: csv, parameters: without(pages), responses: [{ type: 'string' }] });
  }
  return calls;
}

/** Whether the caller passes the body whole, because it is not one object with named fields. */
export function hasWholeBody({ body }: Call): boolean {
  return body !== undefined && body.properties === undefined;
}

/** Returns the credentials that an operation accepts, the preferred first; none where it is public. */
export function credentialsOf({ operation }: Call): string[] {
  const found = operation.security.map((schemes) => {
    const [scheme = ''] = Object.keys(schemes);
    const credential = credentials[scheme];
    if (credential === undefined) throw new Error(`The client has no credential for the scheme ${scheme}`);
    return credential;
  });
  return [...new Set(found)];
}

/** Returns how a call's list is paged; undefined where its response has no list of objects. */
export function pagingOf(document: OpenApi, { operation, suffix }: Call): Paging | undefined {
  return suffix === '' ? pagingOfOperation(document, operation) : undefined;
}
