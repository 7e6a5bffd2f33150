import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import type { Operation, Parameter } from '../clients/openapi.js';
import { bodyOf, parametersOf, responsesOf, separators } from '../clients/operation.js';
import { typeOf } from './types.js';

/** Parameters of the query for a JSON response: without those that only a text body or a CSV response reads. */
export function queryOf(operation: Operation): Parameter[] {
  const inBody = Object.keys(bodyOf(operation)?.properties ?? {});
  return parametersOf(operation).filter(
    ({ name, in: place }) => place === 'query' && !separators.includes(name) && !inBody.includes(name),
  );
}

/** Parameters of the query beside a text body: those that a JSON body holds itself. */
export function textQueryOf(operation: Operation): Parameter[] {
  const inBody = Object.keys(bodyOf(operation)?.properties ?? {});
  return parametersOf(operation).filter(({ name, in: place }) => place === 'query' && inBody.includes(name));
}

/** Whether the body is not an object with named fields, so that the caller passes it whole. */
export function hasWholeBody(operation: Operation): boolean {
  const body = bodyOf(operation);
  return body !== undefined && body.properties === undefined;
}

/** Returns the type of a successful response. */
export function responseType(operation: Operation): string {
  const types = responsesOf(operation).map((schema) => (schema === undefined ? undefined : typeOf(schema, '  ')));
  const found = types.filter((type) => type !== undefined).join(' | ');
  if (found === '') return 'undefined';
  return types.includes(undefined) ? `${found} | undefined` : found;
}

/** Returns the places of decimals that the body holds as JSON numbers, such as `contracts[].faceValue`. */
export function decimalsOf(operation: Operation): string[] {
  return decimalsIn(bodyOf(operation) ?? {}, '');
}

function decimalsIn(schema: JsonSchema, path: string): string[] {
  if (schema['x-decimals'] !== undefined) return [path];
  if (schema.items !== undefined) return decimalsIn(schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    decimalsIn(one, path === '' ? name : `${path}.${name}`),
  );
}
