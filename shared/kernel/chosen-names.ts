import { type ErrorDetail, errorAt } from './errors.js';

/** Returns the names in a list, without duplicates and in the order of their catalogue, or the first 20 of its errors. */
export function chosenNames<Name extends string>(
  path: string,
  catalogue: readonly Name[],
  given: readonly string[],
): { readonly chosen: readonly Name[]; readonly errors: readonly ErrorDetail[] } {
  const known = catalogue.join(', ');
  const errors: ErrorDetail[] = given.flatMap((text, index) =>
    catalogue.some((name) => name === text) ? [] : [errorAt(`${path}[${index}]`, 'ONE_OF', { known })],
  );
  if (given.length === 0) errors.push(errorAt(path, 'SOME_OF', { known }));
  return { chosen: catalogue.filter((name) => given.includes(name)), errors: errors.slice(0, 20) };
}
