import { FailureError, noResponse } from '../frame/failure.js';
import type { TriedRequest } from './open-api.js';
import { developerTexts } from './texts.js';

/** What came back. */
export interface Answer {
  readonly request: TriedRequest;
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: string;
  readonly body: string;
}

/** Characters of a response that are shown. */
const mostShown = 100_000;

/** Sends a request without the session of the page: what comes back is what a program gets. */
export async function send(request: TriedRequest, key: string): Promise<Answer> {
  const { method, url, body } = request;
  const begun = performance.now();
  const response = await fetch(url, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      ...(key === '' ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  }).catch(() => undefined);
  if (response === undefined) throw new FailureError(noResponse);
  const received = await response.text();
  return {
    request,
    status: response.status,
    milliseconds: Math.round(performance.now() - begun),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: shownOf(received),
  };
}

function shownOf(received: string): string {
  const { tryIt: text } = developerTexts.get();
  const pretty = /^\s*[[{]/.test(received) ? prettyOf(received) : received;
  return pretty.length > mostShown ? `${pretty.slice(0, mostShown)}\n… ${text.cut}` : pretty;
}

function prettyOf(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    // It only looks like JSON: it is shown as it came.
    return json;
  }
}
