import type { Route } from '../route.js';

const credentials = {
  none: '',
  session: 'Authorization: Bearer $ACCESS_TOKEN',
  apiKey: 'X-API-Key: $API_KEY',
  developerKey: 'X-API-Key: $DEVELOPER_KEY',
} as const;

/** The path and query of a route's example. */
export function exampleTarget({ path, example }: Route): string {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(example.path?.[name] ?? name));
  const query = new URLSearchParams(example.query).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** A route's example as a command for a shell. */
export function curlOf(route: Route): string {
  const { method, example, credential } = route;
  const lines = [`curl "$BASE_URL${exampleTarget(route)}"`];
  if (method !== 'GET') lines.push(`-X ${method}`);
  if (credentials[credential] !== '') lines.push(`-H "${credentials[credential]}"`);
  if (example.body !== undefined) {
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify(example.body).replaceAll("'", String.raw`'\''`)}'`,
    );
  }
  return lines.join(' \\\n  ');
}
