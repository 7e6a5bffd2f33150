/**
 * The end of a message, in SQL within quotes, about a name that is kept for a record which was withdrawn.
 * @param label one of them: `series`
 * @param act SQL of the id of the act that withdrew it
 */
export function keptFor(label: string, act: string): string {
  return `which is kept for a ${label} that was withdrawn by the import ' || ${act}::text || ': take that back (imports revert), or use another name`;
}
