/** Returns the names of the query parameters in the address of a request that are not percent-encoded UTF-8: their values cannot be read. */
export function unreadableIn(url: string): ReadonlySet<string> {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return new Set();
  const unreadable = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => decoded(pair) === undefined);
  return new Set(unreadable.map(nameOf));
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return decoded(name) ?? name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
