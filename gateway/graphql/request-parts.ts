import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/kernel/errors.js';
import { jsonShapeError, withoutMark } from '../../shared/kernel/json.js';

/** The parts of a request that may be left out: an empty text counts as none, which Apollo Server takes for a name. */
const optionalParts = ['query', 'operationName', 'variables', 'extensions', 'documentId'];
const jsonParts = ['variables', 'extensions'];
const empty = new RegExp(`(?<=[?&])(?:${optionalParts.join('|')})=(?:&|$)`, 'g');
const marked = new RegExp(`(?<=[?&](?:${jsonParts.join('|')})=)%EF%BB%BF`, 'gi');

/** Returns the parts of a request without those optional ones that are an empty text. */
export function withoutEmptyParts<T extends object>(parts: T): Partial<T> {
  const given: Partial<T> = { ...parts };
  for (const name of optionalParts) if (Reflect.get(given, name) === '') Reflect.deleteProperty(given, name);
  return given;
}

/** Returns the query string of a request with its question mark, without empty parts; empty where there is none. */
export function searchOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at).replace(empty, '').replace(marked, '');
}

/** Checks the JSON in the address of a request like the JSON of a body. @throws {ApiError} BAD_REQUEST */
export function demandShape(request: FastifyRequest): void {
  const search = new URLSearchParams(searchOf(request));
  for (const name of jsonParts) {
    const error = jsonShapeError(search.get(name) ?? '');
    if (error === undefined) continue;
    const path = error.path === '' ? name : `${name}.${error.path}`;
    throw new ApiError('BAD_REQUEST', { details: [{ ...error, path }] });
  }
}

export function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}
