import { LastroError } from './errors.js';

/**
 * Reads the body of a response as text.
 * @throws LastroError with the code `RESPONSE_TOO_LARGE` for a body that is longer, decompressed, than the limit; the connection is closed
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response.body)) {
    size += chunk.length;
    if (size > maxBytes) {
      const { status } = response;
      const message = `The response is longer than ${maxBytes} bytes`;
      throw new LastroError({ message, status, code: 'RESPONSE_TOO_LARGE' });
    }
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

/** Not every browser can iterate over a stream. A reader that stops early cancels it. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // The stream of a lost connection has failed already.
    await reader.cancel().catch(() => undefined);
  }
}
