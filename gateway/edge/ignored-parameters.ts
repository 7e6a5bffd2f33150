import type { FastifyReply, FastifyRequest } from 'fastify';

/** Names of query parameters that one response repeats, and characters of each. */
const maxNames = 20;
const maxCharacters = 60;
/** Stands where something was left out: behind the beginning of a name, or for all further ones. */
const andMore = '...';

/**
 * Names the query parameters of a request that its route does not read in `X-Ignored-Parameters`: they change nothing, and whoever sent
 * one by mistake can see it. Without such a parameter the header is absent.
 */
export function tellIgnored({ query }: FastifyRequest, reply: FastifyReply, known: ReadonlySet<string>): void {
  const ignored = ignoredNames(query, known);
  if (ignored.length > 0) reply.header('x-ignored-parameters', listOf(ignored));
}

/** The names of a query that are not known; no more of them than it takes to see that there are too many. */
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

/** The value of the header. Percent-encoding leaves letters, digits and `-_.!~*'()`: nothing that could end a name or the header. */
function listOf(names: readonly string[]): string {
  const told = names.slice(0, maxNames).map(encoded);
  return [...told, ...(names.length > maxNames ? [andMore] : [])].join(', ');
}

function encoded(name: string): string {
  let text = '';
  for (const character of name) {
    // What is no character has no encoding: half of a surrogate pair.
    const part = /\p{Surrogate}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character);
    if (text.length + part.length > maxCharacters) return `${text}${andMore}`;
    text += part;
  }
  return text;
}
