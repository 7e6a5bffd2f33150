/** Security schemes of the OpenAPI text whose credential is a key of an account. */
const keySchemes: readonly string[] = ['apiKey', 'developerKey'];

/** Returns whether the panel can send a request with one of these security schemes, or without a credential where there are none. */
export function canBeTried(schemes: readonly string[]): boolean {
  return schemes.length === 0 || schemes.some((scheme) => keySchemes.includes(scheme));
}
