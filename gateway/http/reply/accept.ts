export function prefersCsv(accept: string | undefined): boolean {
  return prefers(accept, 'text/csv');
}

/** Whether an `Accept` header prefers the media type of GraphQL's responses to plain JSON. */
export function prefersGraphqlResponse(accept: string | undefined): boolean {
  return prefers(accept, graphqlResponseType);
}

/** The media type of GraphQL's responses (GraphQL over HTTP §4.1). */
export const graphqlResponseType = 'application/graphql-response+json';

/** Whether a type has a higher weight than JSON, or the same and stands first (RFC 9110 §12.5.1). A header that accepts anything gets JSON. */
function prefers(accept: string | undefined, wanted: string): boolean {
  const ranges = (accept ?? '').split(',').map(rangeOf);
  const [best] = ranges
    .filter(({ type, weight }) => weight > 0 && (type === wanted || type === 'application/json'))
    .sort((left, right) => right.weight - left.weight);
  return best?.type === wanted;
}

/** Parses one range of an `Accept` header and its weight: 1 where none is given, 0 where it is not readable. */
function rangeOf(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return { type, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
}

/** Whether an `Accept` header admits JSON, by one of its names (RFC 9110 §12.5.1). Without the header everything is admitted. */
export function admitsJson(accept: string | undefined, names: readonly string[] = ['application/json']): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const admitted = [...names, 'application/*', '*/*'];
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && admitted.includes(type);
  });
}
