import { registered } from '../../../shared/registry.js';
import type { Operation, Response } from './open-api.js';

/** An error of the closed registry, as a table shows it. */
export interface Fault {
  /** Its name on the graph, in `errors[].extensions.code`. */
  readonly name: string;
  readonly status: number;
  /** Its code in the envelope, if it has one. */
  readonly catalogue: string | undefined;
  readonly message: string;
}

/** Every error that a caller can get. */
export const faults: readonly Fault[] = [...registered.errors].map(([name, kind]) => ({
  name,
  status: kind.status,
  catalogue: kind.catalogue === undefined ? undefined : String(kind.catalogue),
  message: kind.message,
}));

/** What a caller does about a status. */
export const advice: Readonly<Record<number, string>> = {
  400: 'Correct the fields that `details` names, and send the request with a new idempotency key.',
  401: 'Send a valid credential. A session or token that has expired is renewed by a login.',
  403: 'Use a credential with the scope that the message names, or ask for the permission. Repeating the request changes nothing.',
  404: 'Check the id. What a caller may not see gets the same response.',
  405: 'Use a method that the header `Allow` lists.',
  406: 'Accept `application/json`.',
  408: 'Send the request again.',
  409: 'Read the resource, and decide again. After a conflict of idempotency keys use a new key, or wait for `Retry-After`.',
  410: 'It no longer exists: ask for a new one.',
  413: 'Send less in one request.',
  415: 'Send the `Content-Type` that the path takes.',
  417: 'Leave out the header `Expect`.',
  422: 'Correct what `details` names. The form is right, the content is not acceptable.',
  429: 'Wait for the seconds of `Retry-After`, and send the request again.',
  431: 'Send shorter headers or a shorter address.',
  500: 'Report it with its `requestId`. Repeat a write only with the same idempotency key.',
  503: 'Wait for the seconds of `Retry-After`, and send the request again with the same idempotency key.',
};

/** An error response of an operation: its condition, the codes that the envelope can have, and what to do. */
export interface OperationFault {
  readonly status: number;
  readonly condition: string;
  readonly codes: readonly Fault[];
  readonly advice: string;
}

const ofScheme: Readonly<Record<string, readonly string[]>> = {
  signature: ['1001', '1002', '1003'],
  accessToken: ['CAAS_AUTH_001'],
};

/** Returns every error response of an operation. */
export function faultsOf(operation: Operation): readonly OperationFault[] {
  return operation.responses
    .filter(({ status }) => status >= 400)
    .map((response) => ({
      status: response.status,
      condition: response.description,
      codes: codesOf(operation, response),
      advice: advice[response.status] ?? '',
    }));
}

/** The codes that the description names, and those of the credential. */
function codesOf({ security }: Operation, { status, description }: Response): readonly Fault[] {
  const named = new Set([...description.matchAll(/\b(CAAS_[A-Z]+_\d+|\d{4})\b/g)].map(([code]) => code));
  const credential = new Set(security.flat().flatMap((scheme) => ofScheme[scheme] ?? []));
  return faults.filter(
    (one) =>
      one.status === status &&
      one.catalogue !== undefined &&
      (named.has(one.catalogue) || (status === 401 && credential.has(one.catalogue))),
  );
}
