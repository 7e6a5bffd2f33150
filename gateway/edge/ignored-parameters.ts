import type { FastifyReply, FastifyRequest } from 'fastify';

/** Maximum number of query parameters that one response repeats, and of characters of each. */
const maxNames = 20;
const maxCharacters = 60;
/** Marks an omission: after the beginning of a name, or in place of all further names. */
const andMore = '...';

/**
 * Lists the query parameters that the route does not read in `X-Ignored-Parameters`: they have no effect, and a caller who sent
 * one by mistake can see it. Without such a parameter the header is absent.
 */
export function tellIgnored({ query }: FastifyRequest, reply: FastifyReply, known: ReadonlySet<string>): void {
  const ignored = ignoredNames(query, known);
  if (ignored.length > 0) reply.header('x-ignored-parameters', listOf(ignored));
}

/** Returns the unknown names of a query; no more of them than it takes to see that there are too many. */
function ignoredNames(query: unknown, known: ReadonlySet<string>): string[] {
  const names: string[] = [];
  if (typeof query !== 'object' || query === null) return names;
  for (const name in query) {
    if (name === '' || known.has(name) || isListOf(name, known)) continue;
    names.push(name);
    if (names.length > maxNames) break;
  }
  return names;
}

/** Whether a name writes a known parameter as a list (`page[]`): that is refused, not ignored. */
function isListOf(name: string, known: ReadonlySet<string>): boolean {
  const at = name.indexOf('[');
  return at !== -1 && known.has(name.slice(0, at));
}

/** Returns the value of the header. Percent-encoding leaves letters, digits and `-_.!~*'()`: nothing that could end a name or the header. */
function listOf(names: readonly string[]): string {
  const named = names.slice(0, maxNames).map(encoded);
  return [...named, ...(names.length > maxNames ? [andMore] : [])].join(', ');
}

function encoded(name: string): string {
  let text = '';
  for (const character of name) {
    // Half of a surrogate pair is no character and has no encoding.
    const part = /\p{Surrogate}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character);
    if (text.length + part.length > maxCharacters) return `${text}${andMore}`;
    text += part;
  }
  return text;
}
