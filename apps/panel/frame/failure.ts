import { ruleText, type Ruled } from './rule-text.js';
import { frameTexts } from './texts.js';

export interface FailureDetail extends Ruled {
  readonly path: string;
  readonly message: string;
  /** Sentence of the page itself. */
  readonly said?: string;
}

export interface Failure extends Ruled {
  /** Code of the graph; `NO_RESPONSE` where the server did not respond at all. */
  readonly code: string;
  /** Message of the server, in English. */
  readonly message: string;
  /** Sentence of the page itself, shown instead of all other texts. */
  readonly said?: string;
  readonly requestId?: string | undefined;
  readonly details: readonly FailureDetail[];
}

export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Thrown where a person has closed a dialog that an act needs. Nothing has happened, and nothing is shown. */
export class Cancelled extends Error {}

export const noResponse: Failure = { code: 'NO_RESPONSE', message: 'No response', details: [] };

/** Whether an act may have happened all the same, or still happens under its key. */
export const isUnknown = ({ code }: Failure): boolean =>
  ['NO_RESPONSE', 'INTERNAL', 'UNAVAILABLE', 'CONFLICT'].includes(code);

const codesByStatus: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  422: 'UNPROCESSABLE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
};

/** Reads an error of the program: the extensions of GraphQL, or the envelope of REST, both with `message`. */
export function failureOf(error: unknown): Failure {
  const found = recordOf(error);
  const { code, statusCode, requestId, message, details } = found;
  const byStatus = codesByStatus[Number(statusCode)];
  return {
    // Whoever trades gets codes of their own for it, and others over REST than on the graph: a page does the same about all of them.
    code: byStatus === 'UNAUTHORIZED' ? byStatus : typeof code === 'string' ? code : (byStatus ?? 'INTERNAL'),
    message: typeof message === 'string' ? message : '',
    requestId: typeof requestId === 'string' ? requestId : undefined,
    ...ruledOf(found),
    details: listOf(details).map((one) => {
      const detail = recordOf(one);
      return { path: String(detail['path']), message: String(detail['message']), ...ruledOf(detail) };
    }),
  };
}

function ruledOf({ rule, values }: Readonly<Record<string, unknown>>): Ruled {
  if (typeof rule !== 'string') return {};
  const given = listOf(values).map(recordOf);
  return { rule, values: given.map(({ name, value }) => ({ name: String(name), value: String(value) })) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the object that a response holds; an empty one for any other text. */
export function objectIn(text: string): object {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Returns the failure of something that was thrown. Anything unexpected is thrown again, for the error boundary. */
export function thrownFailure(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  throw error;
}

/** The page's text of an error, and the server's English text if the page has none. */
export interface FailureText {
  readonly own?: string | undefined;
  readonly english?: string | undefined;
}

/** Returns the text of the error of a value: the sentence of its rule. */
export function detailText(detail: FailureDetail): FailureText {
  const own = detail.said ?? ruleText(detail);
  return own === undefined ? { english: detail.message } : { own };
}

/** Returns the text of a failure: the sentence of its rule or of its code; a code for many errors is followed by the server's text. */
export function failureText(failure: Failure): FailureText {
  const { code, message, details } = failure;
  const byRule = failure.said ?? ruleText(failure);
  if (byRule !== undefined) return { own: byRule };
  const sentences: Readonly<Record<string, string>> = frameTexts.get().failures;
  const own = sentences[code];
  if (own === undefined) return { english: message };
  const isGeneral = ['CONFLICT', 'UNPROCESSABLE', 'FORBIDDEN', 'BAD_REQUEST'].includes(code);
  return { own, english: isGeneral && details.length === 0 ? message : undefined };
}

export function attemptText(error: string): FailureText {
  const [, sentence = error, code = ''] = /^(.*?)( \(\w+\))?$/.exec(error) ?? [];
  const own = frameTexts.get().attemptErrors[sentence];
  return own === undefined ? { english: error } : { own: own + code };
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
