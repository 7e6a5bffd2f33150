/** Whether an `Accept` header admits JSON, by one of its names (RFC 9110 §12.5.1). Without the header anything is admitted. */
export function admitsJson(accept: string | undefined, names: readonly string[] = ['application/json']): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const admitted = [...names, 'application/*', '*/*'];
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && admitted.includes(type);
  });
}
