/**
 * Returns the end of a message, as SQL within quotes, about a name that is reserved for a withdrawn record.
 * @param label the singular of its kind: `series`
 * @param act SQL of the id of the act that withdrew it
 */
export function keptFor(label: string, act: string): string {
  return `which is reserved for a ${label} that was withdrawn by the import ' || ${act}::text || ': revert that import (imports revert), or use another name`;
}
