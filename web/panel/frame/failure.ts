import { frameTexts } from './texts.js';

/** An error of one value of an input. */
export interface FailureDetail {
  readonly path: string;
  readonly message: string;
}

/** Why something did not work, for the person in front of the page. */
export interface Failure {
  /** Code of the graph; `NO_RESPONSE` where the server did not respond at all. */
  readonly code: string;
  /** What the server says, in English. */
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly details: readonly FailureDetail[];
}

/** Carries a failure to whoever shows it. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Thrown where a person has closed a dialog that an act needs. Nothing has happened, and nothing is shown. */
export class Cancelled extends Error {}

export const noResponse: Failure = { code: 'NO_RESPONSE', message: 'No response', details: [] };

const codesByStatus: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'UNPROCESSABLE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
};

/** Reads an error of the program: the extensions of GraphQL, or the envelope of REST, both with `message`. */
export function failureOf(error: unknown): Failure {
  const found = recordOf(error);
  const { code, statusCode, requestId, message, details } = found;
  return {
    code: typeof code === 'string' ? code : (codesByStatus[Number(statusCode)] ?? 'INTERNAL'),
    message: typeof message === 'string' ? message : '',
    requestId: typeof requestId === 'string' ? requestId : undefined,
    details: (Array.isArray(details) ? details : []).map((one: unknown) => {
      const { path, message: text } = recordOf(one);
      return { path: String(path), message: String(text) };
    }),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the failure of something that was thrown. Anything unexpected is thrown again, for the error boundary. */
export function thrownFailure(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  throw error;
}

/** Returns a plain sentence for a failure. What the server says in English stands in for codes without a sentence of their own. */
export function sentenceOf({ code, message, details }: Failure): string {
  const sentences: Readonly<Record<string, string>> = frameTexts.get().failures;
  const sentence = sentences[code];
  if (sentence === undefined) return message;
  const isGeneral = ['CONFLICT', 'UNPROCESSABLE', 'FORBIDDEN', 'BAD_REQUEST'].includes(code);
  return isGeneral && details.length === 0 ? `${sentence} ${message}` : sentence;
}

/** Returns the object of a `…Result`. @throws {FailureError} with the errors of its input */
export function accepted<T extends { readonly __typename: string }>(
  result: T | null,
): Exclude<T, { readonly __typename: 'InputErrors' }> {
  if (result === null) throw new FailureError(failureOf({}));
  if (isRefused(result)) throw new FailureError(failureOf(result));
  return result as Exclude<T, { readonly __typename: 'InputErrors' }>;
}

function isRefused(result: { readonly __typename: string }): boolean {
  return result.__typename === 'InputErrors';
}
