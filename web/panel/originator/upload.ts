import { noteNoResponse, noteResponse } from '../frame/connection.js';
import { FailureError, failureOf, noResponse } from '../frame/failure.js';

/** How much of a file has been sent, in bytes as they are sent. */
export interface Sent {
  readonly bytes: number;
  readonly total: number;
}

/**
 * Sends a compressed file to a REST path, which anyone with a session may use, and returns the response. `fetch` does not tell how much was sent.
 * @param key the same for each attempt to do the same
 * @throws {FailureError}
 */
export function upload(
  path: string,
  query: Readonly<Record<string, string>>,
  body: Blob,
  key: string,
  onSent: (sent: Sent) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${path}?${new URLSearchParams(query).toString()}`);
    request.setRequestHeader('Content-Type', 'text/plain; profile=file');
    request.setRequestHeader('Content-Encoding', 'gzip');
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Idempotency-Key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onSent({ bytes: loaded, total });
    });
    request.addEventListener('error', () => {
      noteNoResponse();
      reject(new FailureError(noResponse));
    });
    request.addEventListener('load', () => {
      noteResponse();
      const response = parsed(request.responseText);
      if (request.status < 300) resolve(response);
      else reject(new FailureError(failureOf({ statusCode: request.status, ...response })));
    });
    request.send(body);
  });
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
