import type { JsonSchema } from '../../../../gateway/graph/json-schema/json-schema.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';
import { schemaAt, type OpenApi, type Operation } from '../open-api.js';

/** A value that the example of an operation sends. */
export interface SampleInput {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly value: unknown;
  readonly schema: JsonSchema;
}

/** Whether the JSON body is not one object with named fields, so that callers pass it whole. */
export function hasWholeBody({ body }: Operation): boolean {
  const json = body['application/json'];
  return json !== undefined && json.schema.properties === undefined;
}

/** Returns what the example of an operation sends in the path, the query and the JSON body. */
export function sampleInputs(document: OpenApi, operation: Operation): readonly SampleInput[] {
  const json = operation.body['application/json'];
  const parameters = operation.parameters.flatMap((one): SampleInput[] =>
    one.in === 'header' || one.example === undefined
      ? []
      : [{ name: one.name, place: one.in, value: one.example, schema: one.schema }],
  );
  if (json === undefined) return parameters;
  if (hasWholeBody(operation))
    return [...parameters, { name: 'body', place: 'body', value: json.example, schema: json.schema }];
  const { properties = {} } = schemaAt(document, json.schema);
  const example = isRecord(json.example) ? json.example : {};
  const fields = Object.entries(example).map(([name, value]): SampleInput => ({
    name,
    place: 'body',
    value,
    schema: properties[name] ?? {},
  }));
  return [...parameters, ...fields];
}

/** The first scheme of a path's credentials; undefined for a public path. */
export function schemeOf({ security }: Operation): string | undefined {
  return security[0]?.includes('signature') === true ? 'signature' : security[0]?.[0];
}
