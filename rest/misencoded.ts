const none: ReadonlySet<string> = new Set();

/**
 * Returns the names of the query parameters of an address whose value is not percent-encoded UTF-8, such as `Com%E9rcio`: the parser of the query
 * leaves it as it is written, so that a search for it would find nothing.
 */
export function misencodedIn(address: string): ReadonlySet<string> {
  const start = address.indexOf('?');
  if (start === -1 || !address.includes('%', start)) return none;
  const query = address.slice(start + 1);
  if (decoded(query) !== undefined) return none;
  const wrong = new Set<string>();
  for (const pair of query.split('&')) {
    if (decoded(pair) !== undefined) continue;
    const [name = ''] = pair.split('=', 1);
    wrong.add(decoded(name) ?? name);
  }
  return wrong;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
