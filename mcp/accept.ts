/** Whether an `Accept` header admits JSON (RFC 9110 §12.5.1). Without the header anything is admitted. */
export function admitsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && ['application/json', 'application/*', '*/*'].includes(type);
  });
}
